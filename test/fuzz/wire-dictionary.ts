import { pieces } from './dictionary.js';

/** Path segments, as they are sent in place of an id or at the end of the path. */
export const PATH_POISON: readonly string[] = [
  ...pieces(`
    %  %zz  %2  %00  %c3%28  %ed%a0%80  %f0%9f%aa%b4  %ff  ..  .  %2e%2e  ..%2f..  %2F  %5c  null  undefined  NaN  me  0  -1  *
    {id}  :id  '  %27%20OR%201=1--  %20  x  ~  ;a=b  __proto__  constructor  tsk_  tsk_0
    %74sk_00000000000000000000000000000000  tsk_00000000000000000000000000000000%00
    tsk_00000000-0000-7000-8000-000000000000  tsk_0000000000000000000000000000000g`),
  'x'.repeat(999),
  'x'.repeat(5_000),
  '%41'.repeat(2_000),
];

/** Values of query parameters, as they are sent. */
export const QUERY_POISON: readonly string[] = [
  ...pieces(`
    %  %zz  %00  %ff  %ed%a0%80  +  %20  ,  ,,  a,,b  me  me,me  null  undefined  []  0  -1  1e3  1.5  0x10  201
    99999999999999999999  100001  NaN  Infinity  TRUE  yes  2  %ef%bc%91  2026-02-30  2026-11-20T10:00:00+02:00
    2026-11-20T10:00:00%2B02:00  0000-00-00  infinity  9999-12-31  '  %27;--  %25  _  %5c  ab%5c  %22unclosed  %26%7c!  a:*
    %3c-%3e  -x  or  (  %e2%80%ae  %f0%9f%aa%b4%f0%9f%aa%b4  tsk_00000000000000000000000000000000  planned,active
    planned,nonsense  --  a`),
  '',
  'x'.repeat(201),
  'ab%20'.repeat(500),
  'planned,'.repeat(500),
];

export const QUERY_NAMES = [
  'limit',
  'offset',
  'sort',
  'search',
  'nonsense',
  '__proto__',
  'limit[]',
  'limit[$gt]',
  'a.b',
  '',
];

/** Values of headers; characters above 127 are sent as Latin-1. */
export const HEADER_POISON: readonly string[] = [
  ...pieces(`
    *  "1"  1  W/"1"  "1", "2"  ""  "  "-1"  "1-abc"  "99999999999999999999"  "1e3"  x  \xe4\xf6\xfc  a\tb  null  '; --  Bearer
    */*  */*;q=2  text/html  ,,,  ;  de;q=x`),
  '',
  ' ',
  '\t',
  'Bearer ',
  'x'.repeat(255),
  'x'.repeat(256),
  '"1",'.repeat(1_000),
];

/** Values of Content-Type, valid and invalid. */
export const CONTENT_TYPES: readonly string[] = [
  ...pieces(`
    text/plain  application/xml  application/x-www-form-urlencoded  multipart/form-data; boundary=x  ;  /  APPLICATION/JSON
    application/json; charset=utf-16  application/json; charset="utf-8"  application/json;charset=  application/json;;
    application/merge-patch+json  application/json-patch+json  application/json, text/plain  application/jsonx
    application/json; charset=latin1  application/json; charset=utf-8; charset=utf-16`),
  '',
];
