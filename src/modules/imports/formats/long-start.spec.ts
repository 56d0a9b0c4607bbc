import { ITEMS } from '../reading/import-format.js';
import type { FileFormat } from '../reading/file-format.js';
import { ImportNotes } from '../import-notes.js';
import { csvFormat } from './csv.js';
import { githubFormat } from './github.js';
import { jiraFormat } from './jira/jira.js';

const SPACE = ' '.repeat(2_000);
/** Longer than the part of a file from which the format is detected. */
const LONG = 70_000;
const ISSUES = '[{"number": 1, "title": "Dig", "state": "open"}]';

/** The format of a file and the separator of its columns are detected from its first bytes. */
describe('a file that arrives in pieces of one byte', () => {
  const keys = async (format: FileFormat, text: string): Promise<(string | null)[]> => {
    const bytes = async function* (): AsyncGenerator<Buffer> {
      for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
    };
    const found: (string | null)[] = [];
    for await (const { key, section } of format.records(bytes(), { source: 'x' }, new ImportNotes())) {
      if (section === ITEMS) found.push(key);
    }
    return found;
  };

  it('has the separator that its complete header uses', async () => {
    expect(await keys(csvFormat, '\ufeffid;title\r\nA-1;Dig, deep\r\n')).toEqual(['A-1']);
    expect(await keys(csvFormat, '"i,d"\tid\ttitle\n1\tA-1\tDig\n')).toEqual(['A-1']);
  });

  it('is JSON if a bracket comes first, even after a byte order mark or spaces', async () => {
    const jira = '{"issues": [{"key": "A-1", "fields": {"summary": "Dig"}}]}';
    for (const before of ['', '\ufeff', ' \n', SPACE]) {
      expect([before.length, await keys(jiraFormat, before + jira)]).toEqual([before.length, ['A-1']]);
      expect([before.length, await keys(githubFormat, before + ISSUES)]).toEqual([before.length, ['1']]);
    }
    expect(await keys(jiraFormat, '\ufeffIssue key,Summary\nA-1,[Dig]\n')).toEqual(['A-1']);
  });

  it('keeps every character of its texts, including byte order marks', async () => {
    const body = '\ufeffDig\n\ufeff\ufeff😀\ufeff';
    const issue = (number: number, text: string) => ({ number, title: 'Dig', state: 'open', body: text });
    const plain = JSON.stringify([issue(1, 'x'.repeat(LONG)), issue(2, body)]);
    const escaped = plain.replaceAll('\ufeff', '\\ufeff');
    for (const [size, text] of [1, 2, 3, 5, 7].flatMap((each) => [plain, escaped].map((one) => [each, one] as const))) {
      const pieces = async function* (): AsyncGenerator<Buffer> {
        const bytes = Buffer.from(`\ufeff${text}`);
        // The long text in the middle arrives in one piece, because only the characters around it can be split wrongly.
        for (let at = 0, end = 0; at < bytes.length; at = end) {
          end = at > 100 && at < LONG ? LONG : at + size;
          yield bytes.subarray(at, end);
        }
      };
      const bodies: unknown[] = [];
      for await (const { data, section } of githubFormat.records(pieces(), { source: 'x' }, new ImportNotes())) {
        if (section === ITEMS) bodies.push(data.body);
      }
      expect([size, bodies.at(1)]).toEqual([size, body]);
    }
  });

  it('is read completely if it is longer than the part for detection, and is rejected if it is empty', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `A-${n};Dig`);
    expect(await keys(csvFormat, `id;title\n${lines.join('\n')}`)).toHaveLength(10_000);
    await expect(keys(csvFormat, '')).rejects.toThrow('The file is empty.');
  });
});
