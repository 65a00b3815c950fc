"""The inspection of a page: what it leaves out would not have counted."""

from __future__ import annotations

import pytest

from tests.browser.site import AXE, VIOLATIONS

pytestmark = pytest.mark.browser
FAULTS = """
<html><head><meta name="viewport" content="user-scalable=no"></head><body>
<img src="data:,"><a href="#x"></a><p style="color: #bbb; background: #fff">pale</p><input><select></select>
<button></button><h1>One</h1><h4></h4><div role="buton"></div><ul><p>no item</p></ul><dl><li>no term</li></dl>
<div aria-hidden="true"><button>hidden</button></div><table><tr><td headers="nowhere">1</td><th scope="no"></th></tr></table>
<div role="checkbox" aria-checked="perhaps"></div><iframe></iframe><p lang="nolanguage">What?</p><main></main><main></main>
<p>Words and <a href="#y" style="color: #333; text-decoration: none">a link</a> in a sentence that goes on</p>
</body></html>
"""


def test_inspection_finds_all_that_is_serious_or_critical(window):
    page = window.page
    page.set_content(FAULTS)
    page.evaluate(AXE)
    every = page.evaluate("axe.run().then((found) => found.violations)")
    counted = {one["id"] for one in every if one["impact"] in ("serious", "critical")}
    assert {"color-contrast", "image-alt", "label", "list"} <= counted
    assert {one["id"] for one in page.evaluate(VIOLATIONS, {})} == counted
    assert len(every) > len(counted) > 10
    with pytest.raises(AssertionError, match="color-contrast"):
        window.inspect()
