"""Countries that a text names: who says `Japan` speaks of a country, though the word is not there."""

import re

from app.domain.language.text import stem

COUNTRY_TERM = stem("country")
COUNTRY_WEIGHT = 0.5
"""Weight of the term in a query that names a country and does not say the word."""
_NAMES = """Afghanistan|Albania|Algeria|Andorra|Angola|Antigua and Barbuda|Argentina|Armenia|Aruba|Australia
|Austria|Azerbaijan|Bahamas|Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bermuda|Bhutan|Bolivia|Bosnia
|Botswana|Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|Canada|Cape Verde|Cabo Verde
|Central African Republic|Chile|Colombia|Comoros|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czechia|Czech Republic
|Denmark|Djibouti|Dominica|Dominican Republic|East Timor|Timor-Leste|Ecuador|Egypt|El Salvador|Equatorial Guinea
|Eritrea|Estonia|Eswatini|Ethiopia|Fiji|Finland|France|Gabon|Gambia|Germany|Ghana|Gibraltar|Great Britain|Greece
|Greenland|Grenada|Guatemala|Guyana|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland
|Israel|Italy|Ivory Coast|Côte d'Ivoire|Jamaica|Japan|Kazakhstan|Kenya|Kiribati|Kosovo|Kuwait|Kyrgyzstan|Laos
|Latvia|Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Macao|Macau|Madagascar|Malawi|Malaysia
|Maldives|Malta|Marshall Islands|Mauritania|Mauritius|Mexico|Micronesia|Moldova|Monaco|Mongolia|Montenegro|Morocco
|Mozambique|Myanmar|Namibia|Nauru|Nepal|Netherlands|New Zealand|Nicaragua|Nigeria|North Korea|North Macedonia
|Norway|Oman|Pakistan|Palau|Palestine|Panama|Papua New Guinea|Paraguay|Peru|Philippines|Poland|Portugal
|Puerto Rico|Qatar|Romania|Russia|Rwanda|Saint Kitts and Nevis|Saint Lucia|Samoa|San Marino|Saudi Arabia|Senegal
|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|Slovenia|Solomon Islands|Somalia|South Africa|South Korea
|South Sudan|Spain|Sri Lanka|Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo
|Tonga|Trinidad and Tobago|Tunisia|Türkiye|Turkmenistan|Tuvalu|UAE|Uganda|UK|Ukraine|United Arab Emirates
|United Kingdom|United States|Uruguay|USA|Uzbekistan|Vanuatu|Vatican City|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe"""
_ONLY_IN_CAPITALS = r"Chad|China|Georgia|Guinea|Jordan|Mali|Niger|Turkey|US|U\.S\.A\.|U\.S\.|U\.K\."
"""Words that in lower case are something else."""
_COUNTRY = re.compile(rf"(?<!\w)(?=\w)(?:(?:{_ONLY_IN_CAPITALS})|(?i:{_NAMES.replace(chr(10), '')}))(?!\w)")


def named_country(text: str) -> str:
    """The first country that a text names, as it stands there; empty without one."""
    found = _COUNTRY.search(text)
    return found.group() if found else ""
