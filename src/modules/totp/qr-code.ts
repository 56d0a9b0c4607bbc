import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BORDER = 4;
/** The pixels per module of the code. */
const SCALE = 6;

/** Draws a text as a QR code: a PNG in black and white. */
export function qrCode(text: string): Buffer {
  const { data } = encode(text, { ecc: 'M', border: BORDER });
  const size = data.length * SCALE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One bit per pixel, in grey.
  header[8] = 1;
  const lines = data.flatMap((modules) => Array.from({ length: SCALE }, () => lineOf(modules)));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One line of pixels after its filter type (none); a set bit is white. */
function lineOf(modules: readonly boolean[]): Buffer {
  const size = modules.length * SCALE;
  const line = Buffer.alloc(1 + Math.ceil(size / 8));
  for (let x = 0; x < size; x += 1) {
    if (!modules[Math.floor(x / SCALE)]) line[1 + (x >> 3)] |= 0x80 >> (x & 7);
  }
  return line;
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
