/** The letters that look like apostrophes are left out. */
const LETTER_OR_DIGIT = /(?![\u02b9-\u02bf])[\p{L}\p{N}]/u;

export const hasLetterOrDigit = (text: string): boolean => LETTER_OR_DIGIT.test(text);

/** What spreadsheets write into a cell that has no value, in the languages in which they do. */
const SPREADSHEET = [
	// Such as #REF!, #DIV/0!, and #¡VALOR!. French has a space before the mark.
	/#[¡¿]?[\p{Lu}_]+(?:\/0)? ?[!?]/u,
	/#[¡¿]?(?:value|ref|name|num|null|calc|spill|error|wert|bezug|zahl|val[eo]u?r|nome?|div\/0) ?[!?]/iu,
	/#(?:值|引用|名[称稱]|參照|数[字值]|數值)[!?]/u,
	// Such as #N/A, which is #N/D, #N/B, or #I/T in other languages.
	/#\p{L}\/(?:\p{L}|DISP)(?![\p{L}\p{N}])/u,
	/#(?:NV|YOK|HIÁNYZIK|PUUTTUU|PUUDUB|SAKNAS|NEDOSTUPNÝ|NENÍ_K_DISPOZICI)$/u,
	/#(?:GETTING[_ ]DATA|DATEN_ABRUFEN|OBTENTION_DONN[EÉ]ES|OBTENIENDO_DATOS)$/u,
	/#(?:OBTENDO_DADOS|ESTRAZIONE_DATI|GEGEVENS_OPHALEN|POBIERANIE_DANYCH)$/u,
	// LibreOffice has numbers from 501 to 540.
	/Err ?:5[0-4]\d(?!\p{N})/u,
	/(?<!\p{L})(?:Error|Erro|Errore|Fehler|Fout|Fel|Fejl|Feil|Virhe|Błąd|Chyba|Hiba|Eroare|Ошибка) ?: ?5[0-4]\d(?!\p{N})/u,
	// A column that is too narrow, and a cell that is not there yet.
	/###$/u,
	/(?:Loading|Calculating|Thinking|Wird geladen|Laden|Chargement|Cargando|Caricamento|Carregando)\.{3}$/iu,
	/(?:Ładowanie|Wczytywanie|Загрузка|Läser in|Indlæser|Yükleniyor|読み込み中|正在加载)\.{3}$/iu,
	// As spreadsheets and programs write an exponent. 1E5-A may be the number of an invoice.
	/\d[.,]\d+E[+-]?\d+/iu,
	/\dE\+\d+/iu,
	// Of a long number, a spreadsheet keeps 15 digits. It keeps no zeros at the beginning.
	/(?<!\p{N})[1-9]\d{14}0{2,}(?!\p{N})/u,
	// A formula as text.
	/^=(?:[\p{L}.]+\(|\$?[A-Z]{1,2}\$?\d+$)/u,
	/^(?:VERO|WAAR|TOSI|PRAVDA|SANT)$/u,
];

/** What programs write in place of a value that they do not have, or for one that is no text. */
const PROGRAMS = [
	/\ufffd/u,
	// A letter that the encoding of a file lacks. A question mark behind a word may be one, as in a web address.
	/^\?/u,
	/\p{L}\?+\p{L}(?![\w-]*=)/u,
	/(?<![\p{L}\p{N}?])\?+$/u,
	/\[object \w+\]/iu,
	/Invalid (?:Date(?:Time)?|Interval|Duration|time|number)(?!\p{L})/iu,
	// Also right after a prefix, but not in longer words such as "nullify".
	/undefined/iu,
	/(?:null|NaN|NaT)(?![\p{L}\p{N}])/u,
	// In other capitals it may be a code, such as NAN-1042, unless nothing comes after it.
	/(?<![\p{L}\p{N}])(?:null|nan|undef)$/iu,
	/(?<![\p{L}\p{N}])(?:None|nil)$/u,
	// Behind a space, it may be a name.
	/(?<![\p{L}\p{N}\s])-?Infinity$/u,
	/\d\.#(?:QNAN|SNAN|INF|IND)/u,
	/<(?:nil|na|null|none|empty|blank|unset|unknown|missing)>/iu,
	/%![a-z]\(/u,
	/\\N$/u,
	/(?<!\p{L})(?:Optional[(.]|Some\("|Decimal\(|datetime\.|System\.(?:Object|String|Data|Collections)(?!\p{L}))/u,
	/^b(?<quote>["']).*\k<quote>$/u,
	/\(\w*\) ?=>/u,
	// The address of an object differs each time.
	/ at 0x[\da-f]+/iu,
	/^(?:\w+\.)+\w+@(?=\d*[a-f])[\da-f]{5,8}$/u,
];

/** What templates of text have where a value is to be filled in. */
const TEMPLATES = [
	/\{\{|\}\}/u,
	/\$\{/u,
	/<%|%>|\*\||\{%/u,
	// Also {0} and {invoice}, but not a longer number or a UUID in braces.
	/[#@]?\{(?!\d{3,}\}|[\dA-F]{8}-)[^{}]*\}/iu,
	/\$(?:json|node|input|items?|binary|vars|env|workflow|execution|prevNode|now|today|fromAI)(?![\p{L}\p{N}])/u,
	/(?<![\p{L}\p{N}])\$(?:invoice|inv|nr|no|num|number|id|ref|reference)(?![\p{L}\p{N}])/iu,
	/\$\([^\d)]/u,
	/(?<!\p{N})%(?:\(\w+\))?0?\d?[sd](?![\p{L}\p{N}])/u,
	/(?<!\p{N})%[A-Z_]{2,}%/u,
	/^\P{N}*<[^<>]*>\P{N}*$/u,
	// The year of a date format that was not filled in, in several languages.
	/(?<!\p{L})(?:YYYY|JJJJ|RRRR|VVVV|ГГГГ)(?!\p{L})/iu,
];

/** What people enter until they have the number. */
const PEOPLE = [
	/(?<![\p{L}\p{N}])(?:N\/A|TBD|n\.a\.|k\. ?A\.|t\.b\.d\.)$/iu,
	// XXX alone may be a Roman number.
	/(?<![\p{L}\p{N}])(?:x{3,6}|X{4,6})$/u,
	/\((?:blank|empty|none|unknown|missing|not set|leer|vide|vac[ií]o|en blanco|em branco)\)/iu,
	/\((?:vazio|vuoto|leeg|tom|tyhjä|puste|prázdné|üres|пусто|boş|空白)\)/iu,
	// A number that was cut off.
	/\p{N}\.{3}$/u,
];

const PATTERNS = [...SPREADSHEET, ...PROGRAMS, ...TEMPLATES, ...PEOPLE];

/** Words before the number of an invoice, which name none by themselves. */
const LABELS =
	/^[\s\p{P}\p{S}]*(?:(?:invoice|inv|number|num|no|nr|n°|ref|reference|rechnung|re|rnr|facture|factura|fattura|fatura|faktura|factuur|fac|fact|счет|счёт)(?!\p{L})[\s\p{P}\p{S}]*)*/iu;

const SEPARATORS = /[\s\p{P}\p{S}]+/gu;

/** What says that there is no number, without separators. Alone or behind a label, it is no invoice. */
const EMPTY_WORDS = new Set(
	[
		'na none nil null nan nat inf infinity true false tbd tba tbc unknown blank empty missing pending',
		'notavailable notapplicable notprovided notset tobedetermined tobeconfirmed error err',
		'ka keineangabe keine unbekannt leer nv nichtverfügbar nichtvorhanden entfällt fehlt wahr falsch',
		'nd nc so néant inconnu inconnue vide aucun aucune nondisponible sansobjet vrai faux',
		'sn desconocido vacío ninguno ninguna nodisponible noaplica sinnúmero verdadero falso pendiente',
		'desconhecido vazio nenhum nenhuma nãodisponível nãoaplicável semnúmero verdadeiro pendente',
		'sconosciuto vuoto nessuno nessuna nondisponibile senzanumero',
		'nvt nb onbekend leeg geen onwaar nietbeschikbaar',
		'okänd ukjent ukendt ingen saknas mangler falskt falsk usann tuntematon tyhjä puuttuu epätosi',
		'bd brak nieznany puste niedotyczy prawda fałsz neznámý žádný není chybí nepravda',
		'nincs ismeretlen üres igaz hamis necunoscut lipsă adevărat yok bilinmiyor boş doğru yanlış yanliş',
		'нд бн нет неизвестно пусто отсутствует истина ложь немає невідомо δυ άγνωστο κενό κανένα',
		'なし 不明 未定 空白 該当なし 無 无 未知 不详 空 待定 没有 없음 미정 해당없음',
		'لايوجد غيرمتوفر غيرمعروف אין לאידוע khôngcó tidakada ไม่มี',
	].flatMap((line) => line.split(' ')),
);

const ZEROS = /^0+$/u;

/**
 * The part of a reference that a program, a spreadsheet, a template, or a person has put in place of the
 * number of an invoice, so that another invoice could get the same; undefined for any other reference.
 *
 * @param reference as from `normalizeReference`
 */
export function spoiledPart(reference: string): string | undefined {
	if (reference === '') {
		return undefined;
	}
	if (!hasLetterOrDigit(reference)) {
		return reference;
	}

	for (const pattern of PATTERNS) {
		const [part] = pattern.exec(reference) ?? [];
		if (part !== undefined) {
			return part;
		}
	}
	return emptyPart(reference);
}

/** What stands behind labels if it is nothing, or zero, which formulas make of an empty cell. */
function emptyPart(reference: string): string | undefined {
	const rest = reference.replace(LABELS, '').trim();
	const word = rest.replace(SEPARATORS, '').toLowerCase();
	if (word !== '') {
		return EMPTY_WORDS.has(word) || ZEROS.test(word) ? rest : undefined;
	}
	// What ends so is refused by itself, with a better reason.
	return /[-_/:#]$/u.test(reference) ? undefined : reference;
}
