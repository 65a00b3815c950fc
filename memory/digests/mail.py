"""A letter by mail, through the server that Django's settings name."""

from __future__ import annotations

import smtplib
import ssl
from socket import gaierror

from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from memory.digests.outcomes import SENT, Letter, SendOutcome, failed, unsure
from memory.text.sentences import say

NO_SERVER = say("No mail server is set up. An operator can set one with the variable EMAIL_HOST.")
CUT_OFF = say("The connection to the mail server broke while the message was being sent. It may not have arrived.")


def is_set_up() -> bool:
    """Whether there is a server to send mail by."""
    return bool(settings.EMAIL_HOST)


def send(to: str, letter: Letter) -> SendOutcome:
    """Send a letter. Opening the connection and handing over are two steps: what fails in the first was certainly not sent."""
    if not is_set_up():
        return failed(NO_SERVER)
    connection = get_connection()
    message = EmailMessage(
        letter.subject, letter.text, to=[to], connection=connection, headers={"Auto-Submitted": "auto-generated"}
    )
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        _close(connection)
        return failed(_unopened(error), passes=True)
    try:
        message.send()
    except smtplib.SMTPResponseException as error:
        return failed(_refused(error.smtp_code), passes=400 <= error.smtp_code < 500)
    except smtplib.SMTPRecipientsRefused as error:
        code = next((code for code, _why in error.recipients.values()), 550)
        return failed(_refused(code), passes=400 <= code < 500)
    except (OSError, smtplib.SMTPException):
        return unsure(CUT_OFF)
    finally:
        _close(connection)
    return SENT


def _close(connection: object) -> None:
    """Hang up. What is wrong with that is not wrong with the message."""
    try:
        connection.close()  # type: ignore[attr-defined]  # a backend; the stubs know no common class
    except (OSError, smtplib.SMTPException):
        return


def _unopened(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return say("The mail server refused the user name or password.")
    if isinstance(error, ConnectionRefusedError):
        return say("The mail server refused the connection. Its address or port may be wrong.")
    if isinstance(error, gaierror):
        return say("The mail server’s name wasn’t found.")
    if isinstance(error, ssl.SSLError):
        return say("The mail server’s encryption or certificate doesn’t fit.")
    if isinstance(error, TimeoutError):
        return say("The mail server didn’t answer in time.")
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return say("The mail server doesn’t offer the encryption or login that is set.")
    return say("The mail server couldn’t be reached.")


def _refused(code: int) -> str:
    return say("The mail server refused the message (code %(code)s).", code=code)
