const MIB = 1024 * 1024;
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** The pieces of a text between double spaces and line ends. */
export const pieces = (text: string): string[] => text.trim().split(/ {2}|\n */);

const SCALARS = String.raw`
  null  true  false  0  -0  -1  1e400  -1e400  1e-400  1e308  0.1e1  1.00005  1000000001  9007199254740993  2147483648
  9223372036854775808  123456789012345678901234567890  0.30000000000000004  1e15
  "true"  "false"  "null"  "1"  "1e3"  "NaN"  "undefined"  "[object Object]"  "me"  "Me"`;
const NO_JSON = String.raw`
  NaN  Infinity  -Infinity  0x10  01  +1  .5  1.  undefined  'single'  nul  "  "\x00"  "\"  [  {"a"  {"a":}  {,}  [1,]`;
const TEXTS = String.raw`
  ""  " "  "\t"  "\u0000"  "a\u0000b"  "\ud800"  "\udc00x"  "\ud83d"  "\uffff"  "\ufeff"  "\u202Etxt.exe\u202C"
  "\u2066\u2067\u2069"  "\u0085\u2028\u2029"  "\u007f"  "\u001b[31m"  "\b\f"  "ﷺ"  "ß"  "İ"  "ﬀ"  "e\u0301"  "👩‍👩‍👧‍👦"
  "𝕏"  "\u200b"  "Z\u0351\u036b\u0343"  "Mars/Phobos"  "UTC+99"  "../UTC"  "posixrules"  "+05:00"  "xx-"  "i-klingon"
  "en_US"  "C"`;
const TIMES = String.raw`
  "2026-02-30"  "2026-W05-1"  "2026-13-01"  "0000-00-00"  "0001-01-01T00:00:00Z"  "1969-12-31"  "2026-02-30T10:00:00Z"
  "2026-01-01T24:00:00Z"  "2026-01-01T23:59:60Z"  "2026-01-01T10:00:00"  "infinity"  "2026-01-01T10:00:00+99:99"
  "10000-01-01T00:00:00Z"  "-271821-04-20T00:00:00Z"  "now"  "epoch"  "9999-12-31T23:59:59-14:00"
  "1970-01-01T00:00:00+14:00"  "2026-11-20 10:00:00Z"  "２０２６-11-20"`;
const QUERIES = String.raw`
  "'; DROP TABLE tasks; --"  "1 OR 1=1"  "%' OR '%'='"  "\\"  "abc\\"  "$1"  "{1,2}"  "\\x00"  "%"  "_"  "%%%%"  "a & | ! b"
  "a:*"  "<->"  "\"unclosed"  "-not"  "or or or"  "(()"`;
const OBJECTS = String.raw`
  {}  []  [null]  [[]]  [{}]  {"":""}  {"__proto__":{"isAdmin":true}}  {"constructor":{"prototype":1}}  {"a":1,"a":2}
  {"toString":1,"valueOf":1}  {"length":9}  {"then":1}  {"toJSON":1}  {"$gt":""}`;
const NAMES = String.raw`
  "tsk_"  "tsk_00000000000000000000000000000000"  "TSK_0192F0000000700080000000000000000"  "../../etc/passwd"
  "javascript:alert(1)"  "http://"  "https://x:y@z:99999/"  "http://\u0000"  "ftp://a"  "http://a b"  "a@b"  "@"  "a@b@c"
  "a\r\nBcc: x@y.z"  "\"<x>\"@example.test"  "a@-.x"  "xn--@xn--.xn--"`;

/** JSON texts, well-formed or not, that have broken services before; they are sent in place of values. */
export const POISON: readonly string[] = [
  ...[SCALARS, NO_JSON, TEXTS, TIMES, QUERIES, OBJECTS, NAMES].flatMap(pieces),
  '',
  '"\u0000"',
  '"\n"',
  '"\u202e\u2066"',
  `"${'x'.repeat(501)}"`,
  `"${'x'.repeat(50_001)}"`,
  `"${'é'.repeat(100_001)}"`,
  nested(33, '[', ']'),
  nested(6_000, '[', ']'),
  `${'{"a":'.repeat(31)}1${'}'.repeat(31)}`,
  `${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}`,
  `[${'0,'.repeat(9_999)}0]`,
  `[${'"a",'.repeat(51)}"a"]`,
  `{${Array.from({ length: 2_001 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
];

/** Like {@link POISON}, but so large that they are sent rarely. */
export const HUGE_POISON: readonly string[] = [
  `"${'x'.repeat(MIB - 300)}"`,
  `"${'x'.repeat(MIB)}"`,
  `"${'\\u0001'.repeat(150_000)}"`,
  `"${'𝔵'.repeat(200_000)}"`,
  `[${'0,'.repeat(400_000)}0]`,
  `[${'{},'.repeat(200_000)}{}]`,
  `{${Array.from({ length: 50_000 }, (_, n) => `"k${n}":0`).join(',')}}`,
];

/** Names of unexpected properties. */
export const EXTRA_KEYS = [
  'id',
  '__proto__',
  'constructor',
  'created_at',
  'revision',
  'is_admin',
  'Title',
  '',
  'a\u0000',
];
