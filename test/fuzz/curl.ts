import { gzipSync } from 'node:zlib';
import type { Sent } from './client.js';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a curl command, without the token, which is valid only during the run. */
export function curlOf({ method, path, headers, body, isChunked }: Sent): string {
  const given = Object.entries(headers).map(([name, value]) =>
    name === 'authorization' && value.length > 40
      ? '-H "Authorization: Bearer $TOKEN"'
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  if (isChunked) given.push(`-H 'Transfer-Encoding: chunked'`);
  const words = ['curl', '--path-as-is', '-X', method, ...given, quoted(`http://localhost:3000${path}`)];
  if (body === undefined) return words.join(' ');
  const isPlain = body.length < 2_000 && /^[\x20-\x7e]*$/.test(body.toString('latin1'));
  if (isPlain) return [...words, '--data-binary', quoted(body.toString())].join(' ');
  const packed = gzipSync(body).toString('base64');
  return `echo ${packed} | base64 -d | gunzip | ${[...words, '--data-binary', '@-'].join(' ')}`;
}
