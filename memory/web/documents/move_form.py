"""Where selected facts shall go: into which memory, of which chat, under which heading."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.bots import open_bot
from memory.curation import moving
from memory.curation.acts import Act
from memory.curation.facts import FoundFact
from memory.curation.moving import To
from memory.domain.errors import Refusal, VaultError
from memory.domain.fact_ref import FactRef
from memory.models import Bot
from memory.text.storable import keepable
from memory.web.base.chat_names import OFFERED, latest, scope_meant

WORDS = {To.LASTING: later("Long-term memory"), To.SHARED: later("Shared long-term memory")}
LONGEST = 255


class MoveForm(forms.Form):
    """Takes what was posted; what it lacks is the first of what there is. A heading that the target lacks counts as none."""

    to = forms.ChoiceField(label=later("Move to"))
    chat = forms.CharField(max_length=LONGEST, required=False, strip=False, label=later("Another chat"))
    heading = forms.ChoiceField(required=False, label=later("Under heading"))

    def __init__(self, data: QueryDict, *, bot: Bot, found: Sequence[FoundFact]) -> None:
        self.bot, self.problem, self.found = bot, "", found
        offered = moving.find_targets(bot, [(one.path, one.fact) for one in found])
        choices = self._choices(offered)
        picked = data.get("to", "")
        value = picked if picked in dict(choices) else choices[0][0] if choices else To.LASTING.value
        self.where, _colon, self.scope = value.partition(":")
        typed = keepable(data.get("chat", ""))[:LONGEST]
        if typed and self.where in offered and To(self.where).asks_for_chat:
            self.scope, self.problem = scope_meant(bot, typed)
        known = self._headings()
        heading = keepable(data.get("heading", ""))
        self.under = heading if heading in known else ""
        super().__init__(auto_id="move_%s", initial={"to": value, "chat": typed, "heading": self.under})
        self.fields["to"].choices = choices  # type: ignore[attr-defined]
        self.fields["heading"].choices = [("", _("at the end")), *((one, one) for one in known)]  # type: ignore[attr-defined]
        self.fields["chat"].widget.attrs |= {"list": "whos", "autocomplete": "off"}
        if f"{To.CHAT}:" not in dict(choices) and f"{To.WORKING}:" not in dict(choices):
            del self.fields["chat"]
        if not known:
            del self.fields["heading"]

    def act(self, meant: Sequence[FactRef]) -> Act | None:
        """What the form asks for; None where it does not say which chat."""
        to = To(self.where)
        if to.asks_for_chat and not self.scope:
            return None
        return moving.make_act(self.bot, meant, to, self.scope, self.under)

    def _choices(self, offered: Sequence[To]) -> list[tuple[str, str]]:
        """(value, words): each memory, the chats by name; where these are many, the newest and "another chat". What all of the
        facts are in comes last."""
        named = {scope: name or scope for scope, name in latest(self.bot)}
        found: list[tuple[str, str, str]] = []
        lasting = self._lasting()
        shared = lasting == {moving.target(self.bot, To.SHARED)}
        whose = {moving.target(self.bot, To.CHAT, scope): name for scope, name in named.items()} if not shared else {}
        own = whose.get(next(iter(lasting)), "") if len(lasting) == 1 else ""
        for to in offered:
            if to is To.SHARED and shared and To.LASTING in offered:
                continue  # it is the same place by another name
            if not to.asks_for_chat:
                told = _("%(chat)s: its own memory") % {"chat": own} if own and to is To.LASTING else str(WORDS[to])
                found.append((to.value, told, moving.target(self.bot, to)))
                continue
            words = _("%(chat)s: working memory") if to is To.WORKING else _("%(chat)s: its own memory")
            found += [
                (f"{to}:{scope}", words % {"chat": name}, moving.target(self.bot, to, scope))
                for scope, name in named.items()
                if not own or To.LASTING not in offered or moving.target(self.bot, to, scope) not in lasting
            ]
            if len(named) == OFFERED:
                found.append((f"{to}:", words % {"chat": _("Another chat")}, ""))
        here = {one.path for one in self.found}
        return [(value, words) for value, words, path in sorted(found, key=lambda one: {one[2]} == here)]

    def _lasting(self) -> set[str]:
        """The long-term memories of those whose facts these are."""
        lasting = open_bot(self.bot).dialect.lasting
        return {lasting(one.path, one.fact) or "" for one in self.found}

    def _headings(self) -> list[str]:
        """Those of the one document that all of them would go into."""
        target = moving.target(self.bot, To(self.where), self.scope)
        targets = self._lasting() if self.where == To.LASTING else {target}
        if len(targets) != 1 or not (only := targets.pop()):
            return []
        try:
            return moving.headings(self.bot, only)
        except (Refusal, VaultError):
            return []
