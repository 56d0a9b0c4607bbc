import { AwsV4Signer } from 'aws4fetch';
import { attachmentNamed, checksumOf, downloadAddress, objectUrl, uploadAddress } from './file-addresses.js';

const store = {
  endpoint: 'https://s3.amazonaws.com',
  region: 'us-east-1',
  bucket: 'examplebucket',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  isPathStyle: false,
};
const now = new Date('2026-11-29T10:00:00.750Z');
const upload = { key: 'a'.repeat(48), length: 5, sha256: 'ab'.repeat(32) };

describe('signed URLs of files', () => {
  it('are signed by the library as the documentation of the protocol shows', async () => {
    const url = new URL(objectUrl(store, 'test.txt'));
    url.searchParams.set('X-Amz-Expires', '86400');
    const signer = new AwsV4Signer({
      ...store,
      service: 's3',
      method: 'GET',
      url: url.href,
      signQuery: true,
      datetime: '20130524T000000Z',
    });
    expect((await signer.sign()).url.searchParams.get('X-Amz-Signature')).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  it('bind an upload to its key, length, type and SHA-256, and to a key without an object', async () => {
    const { url, method, headers, expires_at } = await uploadAddress(store, upload, now);
    const { host, pathname, searchParams } = new URL(url);
    expect([host, pathname, method]).toEqual(['examplebucket.s3.amazonaws.com', `/${upload.key}`, 'PUT']);
    expect(headers).toEqual({
      'content-length': '5',
      'content-type': 'application/octet-stream',
      'if-none-match': '*',
      'x-amz-checksum-sha256': checksumOf(upload.sha256),
    });
    expect(searchParams.get('X-Amz-SignedHeaders')?.split(';')).toEqual(
      ['content-length', 'content-type', 'host'].concat(['if-none-match', 'x-amz-checksum-sha256']),
    );
    expect(searchParams.get('X-Amz-Expires')).toBe('900');
    expect(expires_at).toBe('2026-11-29T10:15:00.000Z');
  });

  it.each([
    ['another key', { ...upload, key: 'b'.repeat(48) }],
    ['another length', { ...upload, length: 6 }],
    ['another SHA-256', { ...upload, sha256: 'cd'.repeat(32) }],
  ])('have another signature for %s', async (_, other) => {
    const signatures = await Promise.all(
      [upload, other].map(async (each) => (await uploadAddress(store, each, now)).url),
    );
    const [one, two] = signatures.map((url) => new URL(url).searchParams.get('X-Amz-Signature'));
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(two).not.toBe(one);
  });

  it('are for five minutes when a file is read, which browsers store and never show', async () => {
    const { url, method, headers, expires_at } = await downloadAddress(store, upload.key, 'A plan + more.html', now);
    const { searchParams, search } = new URL(url);
    expect([method, headers, expires_at]).toEqual(['GET', {}, '2026-11-29T10:05:00.000Z']);
    expect(searchParams.get('X-Amz-Expires')).toBe('300');
    expect(searchParams.get('response-content-type')).toBe('application/octet-stream');
    expect(searchParams.get('response-content-disposition')).toMatch(/^attachment; filename="A plan \+ more\.html"/);
    expect(search).not.toContain('+');
  });

  it('have the bucket in the path where the store wants it there', () => {
    const local = { ...store, endpoint: 'http://minio:9000', isPathStyle: true };
    expect(objectUrl(local, 'key').href).toBe('http://minio:9000/examplebucket/key');
  });
});

describe('the name of a file', () => {
  it.each([
    ['Plan.pdf', `attachment; filename="Plan.pdf"; filename*=UTF-8''Plan.pdf`],
    ['Pläne', `attachment; filename="Pl_ne"; filename*=UTF-8''Pl%C3%A4ne`],
    ['a"; filename=b.html', `attachment; filename="a__ filename=b.html"; filename*=UTF-8''a_%3B%20filename%3Db.html`],
    ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
    ['a\u202Efdp.exe', `attachment; filename="a_fdp.exe"; filename*=UTF-8''a_fdp.exe`],
    [`it's (1)*!`, `attachment; filename="it's (1)_!"; filename*=UTF-8''it%27s%20%281%29_%21`],
  ])('%j is %s', (name, header) => {
    expect(attachmentNamed(name)).toBe(header);
  });

  it('has at most a hundred characters', () => {
    expect(attachmentNamed('🌱'.repeat(500))).toBe(
      `attachment; filename="${'_'.repeat(100)}"; filename*=UTF-8''${'%F0%9F%8C%B1'.repeat(100)}`,
    );
  });
});
