import { endeavourOfTask, FOCUS, idOf, LISTED, memberOf, SEATS } from './data/shape.mjs';
import { Limit } from './pgbench.mjs';

/** The lines of a pgbench script that choose an entity and a caller in the same way as the requests. */
function variables(size, route) {
  const others = size.endeavours - FOCUS;
  const endeavour =
    others === 0
      ? `:n % ${FOCUS}`
      : `case when :n % 10 = 0 then :n / 10 % ${FOCUS} else ${FOCUS} + (:n - :n / 10 - 1) % ${others} end`;
  const choice =
    route === 'get'
      ? [`\\set n random(0, ${size.tasks - 1})`, `\\set e ${endeavour}`]
      : [`\\set e random(0, ${LISTED - 1})`];
  const seat = `(:e % ${size.users / SEATS}) % 7`;
  return [...choice, `\\set u (:e * ${SEATS} + 3 + ${seat}) % ${size.users}`];
}

/** Maps values that the service sent to the SQL that computes them from a variable of pgbench. */
function formulas(size, route, request) {
  const path = request.split(' ')[1];
  const formula = new Map();
  const put = (id, prefix, variable) => {
    const sql = `bench.id('${prefix}', :${variable})`;
    formula.set(id, sql).set(`{"${id}"}`, `ARRAY[${sql}]`).set(`{${id}}`, `ARRAY[${sql}]`);
  };
  const endeavour = route === 'get' ? endeavourOf(size, path.split('/').at(-1)) : numberOf(path, 'edv', LISTED);
  const user = memberOf(size, endeavour, endeavour % (size.users / SEATS));
  if (route === 'get') put(path.split('/').at(-1), 'tsk', 'n');
  else put(idOf('edv', endeavour), 'edv', 'e');
  for (const prefix of ['usr', 'ses', 'res']) put(idOf(prefix, user), prefix, 'u');
  return formula;
}

const endeavourOf = (size, id) => endeavourOfTask(size, numberOf(id, 'tsk', size.tasks));

/** Returns the number from which the id in the text was made. */
function numberOf(text, prefix, most) {
  for (let n = 0; n < most; n += 1) if (text.includes(idOf(prefix, n))) return n;
  throw new Error(`there is no ${prefix} in ${text}`);
}

/** Returns the database limit of a route, from the recorded statements of the service. */
export function limitOf(connection, size, route, { last, request, roundTrips }) {
  const formula = formulas(size, route, request);
  const statements = last.map(({ text, values }) => ({
    text,
    values: values.map((value) => (formula.has(value) ? { formula: formula.get(value) } : value)),
  }));
  return new Limit(connection, variables(size, route), statements, roundTrips < last.length);
}
