import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Person, TestApp } from './test-app.js';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** Writes the few kinds of CBOR values that a credential consists of. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as number)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length]);
  if (length < 256) return Buffer.from([(type << 5) | 24, length]);
  return Buffer.from([(type << 5) | 25, length >> 8, length & 255]);
}

/** What can be wrong with a signature. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Leaves out that the person was verified, by a finger or a PIN. */
  isUnverified?: boolean;
  counter?: number;
  userHandle?: string;
}

/** An authenticator with one passkey, as a device has it: made from the specification of WebAuthn, without its library. */
export class Authenticator {
  private readonly id = randomBytes(16);
  private readonly keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
  });
  private userHandle = '';
  /** What the device has counted; 0 for devices that do not count. */
  counter = 0;

  constructor(private readonly origin = 'http://localhost') {}

  /** The result of `navigator.credentials.create`. */
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }, lies: Lies = {}): object {
    this.userHandle = options.user.id;
    const jwk = this.keys.publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const key = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(jwk.x, 'base64url')],
        [-3, Buffer.from(jwk.y, 'base64url')],
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const authData = Buffer.concat([this.dataFor(options.rp.id, 0x40, lies), attested]);
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', options.challenge, lies).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The result of `navigator.credentials.get`. */
  get(options: { challenge: string; rpId: string }, lies: Lies = {}): object {
    const authenticatorData = this.dataFor(options.rpId, 0, lies);
    const clientData = this.clientData('webauthn.get', options.challenge, lies);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.keys.privateKey);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: lies.userHandle ?? this.userHandle,
    });
  }

  private credential(response: object): object {
    const id = this.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    };
  }

  private dataFor(rpId: string, flags: number, lies: Lies): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? this.counter);
    const present = lies.isUnverified ? 0x01 : 0x05;
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags | present]), counter]);
  }

  private clientData(type: string, challenge: string, lies: Lies): Buffer {
    const { origin = this.origin } = lies;
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin }));
  }
}

/** Adds a passkey to the account of the person. */
export async function addPasskey(app: TestApp, person: Person): Promise<{ device: Authenticator; id: string }> {
  const device = new Authenticator();
  const { body: options } = await app.as(person).post('/auth/passkeys/options').expect(200);
  const sent = { name: 'Laptop', credential: device.create(options.data) };
  const { body } = await app.as(person).post('/auth/passkeys').send(sent).expect(201);
  return { device, id: body.data.id };
}
