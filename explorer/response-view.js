import { make } from './elements.js';

const MAX_CHARACTERS = 200_000;

/** The request as a command to paste; the token is a variable, so that the command can be shared. */
export function curlOf({ method, url, headers, body }, isSigned) {
  const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const lines = [
    `curl -X ${method.toUpperCase()} ${quoted(new URL(url.slice(1), document.baseURI).href)}`,
    ...(isSigned ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(typeof body === 'string' ? [`-d ${quoted(body)}`] : body === undefined ? [] : ['--data-binary @file']),
  ];
  return lines.join(' \\\n  ');
}

/** The response: status, time, headers and body, in which JSON is indented; and the body as it was sent. */
export async function responseView(response, milliseconds) {
  const type = response.headers.get('content-type') ?? '';
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const body = type.startsWith('text/event-stream')
    ? 'A stream of events, which this page does not show.'
    : await response.text();
  if (type.startsWith('text/event-stream')) await response.body?.cancel();
  const text = type.endsWith('json') && body !== '' ? JSON.stringify(JSON.parse(body), null, 2) : body;
  const view = make(
    'div',
    { class: `response ${response.ok ? 'good' : 'bad'}` },
    make(
      'p',
      {},
      make('strong', {}, `${response.status} ${response.statusText}`),
      ` in ${Math.round(milliseconds)} ms`,
    ),
    make('details', {}, make('summary', {}, 'Headers'), make('pre', {}, headers)),
    make('pre', { tabindex: '0' }, text.slice(0, MAX_CHARACTERS)),
    text.length > MAX_CHARACTERS && make('p', {}, `${text.length - MAX_CHARACTERS} more characters are not shown.`),
  );
  return { view, text: body };
}
