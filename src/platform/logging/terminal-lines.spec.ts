import { forTerminal } from './terminal-lines.js';

const line = (fields: object): string =>
  forTerminal(JSON.stringify({ level: 'info', time: '2026-11-20T10:00:00.000Z', ...fields })).replace(/^\S+ /, '');

describe('a log line on a terminal', () => {
  it('begins with the time of day', () => {
    expect(forTerminal('{"level":"info","time":"2026-11-20T10:00:00.000Z","msg":"hello"}')).toMatch(
      /^[\d:]{8} hello\n$/,
    );
  });

  it.each([
    [{ msg: 'hello', context: 'Mail' }, 'Mail: hello'],
    [{ level: 'warn', msg: 'careful' }, 'WARN careful'],
    [{ method: 'GET', route: '/api/v1/tasks/:id', status: 200, ms: 3.1 }, 'GET /api/v1/tasks/:id 200 3.1 ms'],
    [{ method: 'GET', path: '/nowhere', status: 404, ms: 1, code: 'not_found' }, 'GET /nowhere 404 1 ms (not_found)'],
    [
      {
        level: 'error',
        method: 'POST',
        route: '/api/v1/tasks',
        status: 503,
        ms: 2,
        code: 'unavailable',
        cause: 'disk_full: could not extend file',
      },
      'ERROR POST /api/v1/tasks 503 2 ms (unavailable, disk_full: could not extend file)',
    ],
    [
      { level: 'warn', msg: 'try again', err: { message: 'refused', stack: 'Error: refused' } },
      'WARN try again: refused',
    ],
    [
      { level: 'fatal', msg: 'gone', err: { message: 'gone', stack: 'Error: gone\n    at x' } },
      'FATAL Error: gone\n    at x',
    ],
  ])('shortens %j', (fields, text) => {
    expect(line(fields)).toBe(`${text}\n`);
  });
});
