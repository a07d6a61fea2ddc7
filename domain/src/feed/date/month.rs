//! Which month does a word of a date text name, in any of the languages that are known?

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::token::{Kind, Token};

/// A month, and which tokens name it.
pub(super) struct Found {
    pub(super) span: Range<usize>,
    pub(super) month: i8,
}

/// Finds the month's name: the last one, since some weekdays look like months (`mar, 02 ott 2022` is a Tuesday).
pub(super) fn find(tokens: &[Token<'_>]) -> Option<Found> {
    let western = || {
        let by_name = |place: usize| by_name(tokens[place].text).map(|month| Found { span: place..place + 1, month });
        (0..tokens.len()).rev().filter(|place| tokens[*place].is_word()).find_map(by_name)
    };
    western().or_else(|| chinese(tokens)).or_else(|| vietnamese(tokens))
}

/// The month of a folded word; only whole words count, never a prefix.
pub(super) fn by_name(word: &str) -> Option<i8> {
    NAMES.get(word).copied()
}

/// `五月`, `十二月`.
fn chinese(tokens: &[Token<'_>]) -> Option<Found> {
    let end = tokens.iter().position(|token| token.is("月"))?;
    let numeral = |place: Option<usize>| place.and_then(|place| NUMERALS.iter().position(|n| tokens[place].is(n)));
    let last = numeral(end.checked_sub(1))? + 1;
    let tens = numeral(end.checked_sub(2)).filter(|index| *index == 9);
    let (start, month) = if tens.is_some() { (end - 2, last + 10) } else { (end - 1, last) };
    let month = i8::try_from(month).ok().filter(|month| *month <= 12)?;
    Some(Found { span: start..end + 1, month })
}

/// `tháng 5`.
fn vietnamese(tokens: &[Token<'_>]) -> Option<Found> {
    let place = tokens.iter().position(|token| token.is("thang") || token.is("thg"))?;
    let month = tokens.get(place + 1).filter(|token| token.kind == Kind::Number)?.small()?;
    Some(Found { span: place..place + 2, month })
}

const NUMERALS: [&str; 10] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];

static NAMES: LazyLock<HashMap<&'static str, i8>> = LazyLock::new(|| {
    let by_month = (1..).zip(MONTHS);
    by_month.flat_map(|(month, names)| names.split_whitespace().map(move |name| (name, month))).collect()
});

/// The names as they stand after folding: lower case, without accents. A short form that two languages use for different
/// months is left out (French `jui`), unless one of them is far the more common in feeds (`listopad` is November in
/// Polish, Czech and Ukrainian, October in Croatian).
const MONTHS: [&str; 12] = [
    "january jan januar janner jaenner januari janvier janv enero ene gennaio gen janeiro gener ianuarie ian xaneiro xan janar \
     styczen stycznia sty leden ledna led tammikuu tammikuuta tammi januarja januara jaanuar jaan janvaris sausis sausio saus \
     ocak oca sijecanj sijecnja ιανουαριοσ ιανουαριου ιαν γεναρησ январь января янв січень січня січ януари јануари јануар јан студзень студзеня",
    "february feb febr februar feber februari fevrier fevr fev febrero febbraio fevereiro febrer febreiro shkurt februarie luty lutego lut \
     unor unora uno helmikuu helmikuuta helmi februarja februara veebruar veebr februaris vasaris vasario vas subat sub \
     veljaca veljace φεβρουαριοσ φεβρουαριου φεβ φεβρ φλεβαρησ февраль февраля фев февр лютии лютого лют февруари фебруар феб",
    "march mar mars marz maerz mrz marzo marco marc marts maart mrt martie mart marzec marca marec brezen brezna bre \
     maaliskuu maaliskuuta maalis marcius maret kovas kovo kov ozujak ozujka \
     μαρτιοσ μαρτιου μαρ μαρτ март марта мар березень березня бер сакавік сакавіка",
    "april apr avril avr abril abr prill aprile aprilie kwiecien kwietnia kwi duben dubna dub huhtikuu huhtikuuta huhti aprilis \
     aprill aprila balandis balandzio bal nisan nis travanj travnja απριλιοσ απριλιου απρ απριλησ апрель апреля апр квітень \
     квітня кві квіт април красавік красавіка",
    "may mai mayo maj maggio mag maio maig mei maja majus maia kveten kvetna kve toukokuu toukokuuta touko maijs geguze geguzes geg \
     mayıs mayis svibanj svibnja μαιοσ μαιου μαι μαησ маи мая травень травня тра трав мај",
    "june jun juni juin junio giugno giu junho juny iunie iun xuno xun qershor czerwiec czerwca cze cerven cervna cvn kesakuu kesakuuta kesa \
     junius junij junija juna juuni junijs birzelis birzelio bir haziran haz lipanj lipnja ιουνιοσ ιουνιου ιουν ιουνησ \
     июнь июня июн червень червня чер черв юни јуни јун чэрвень чэрвеня",
    "july jul juli juillet juil juill julio luglio lug julho juliol iulie iul xullo xul korrik lipiec lipca lip cervenec cervence cvc \
     heinakuu heinakuuta heina julius julij julija jula juuli julijs liepa liepos lie temmuz tem srpanj srpnja \
     ιουλιοσ ιουλιου ιουλ ιουλησ июль июля июл липень липня лип юли јули јул ліпень ліпеня",
    "august aug agosto ago aout aou agost ag agust gusht augustus augusti agustus agu agt sierpien sierpnia sie srpen srpna srp elokuu \
     elokuuta elo augusztus augusta avgust avgusta avg augusts rugpjutis rugpjucio rgp rugp agustos kolovoz kolovoza \
     αυγουστοσ αυγουστου αυγ август августа авг серпень серпня сер серп жнівень жніуня",
    "september sept sep septembre septiembre setiembre set settembre sett setembro setembre septembar shtator septembrie wrzesien wrzesnia \
     wrz zari zar syyskuu syyskuuta syys szeptember szept sze szep septembra septembris rugsejis rugsejo rgs rugs eylul eyl \
     rujan rujna σεπτεμβριοσ σεπτεμβριου σεπ σεπτ сентябрь сентября сен сент вересень вересня вер верес септември септембар \
     септ сеп верасень верасня",
    "october oct oktober okt octobre octubre ottobre ott outubro out oktobar tetor octombrie pazdziernik pazdziernika paz rijen rijna rij \
     lokakuu lokakuuta loka lok oktobra oktoober oktobris spalis spalio spa spal ekim eki οκτωβριοσ οκτωβριου οκτ οκτωβρησ \
     октябрь октября окт жовтень жовтня жов жовт октомври октобар кастрычнік кастрычніка",
    "november nov novembre noviembre novembro novembar nentor noiembrie noi noiem listopad listopadu listopada lis marraskuu marraskuuta \
     marras novembra novembris lapkritis lapkricio lap lapkr kasım kasim kas nop nopember studeni studenoga \
     νοεμβριοσ νοεμβριου νοε νοεμ νοεμβρησ ноябрь ноября ноя нояб листопад листопада лис ноември новембар нов",
    "december dec decembre diciembre dic dicembre dezembro dez decembro decembar dhjetor dezember desembre des desember decembrie grudzien grudnia gru \
     prosinec prosince pro joulukuu joulukuuta joulu decembra detsember dets decembris gruodis gruodzio grd gruod aralık \
     aralik ara prosinac prosinca δεκεμβριοσ δεκεμβριου δεκ δεκεμβρησ декабрь декабря дек грудень грудня гру груд декември децембар снежань \
     снежня",
];
