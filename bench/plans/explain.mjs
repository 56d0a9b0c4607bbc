/** More rows than this are not to be read one by one. */
const MANY = 10_000;
/** PostgreSQL looks at the values five times before it settles for one plan. */
const BEFORE_SETTLED = 5;

export const UNTIL_LIMIT = ' (until the limit)';

const literal = (value) => (value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`);

/** How PostgreSQL goes about a statement: with these values, once it has settled, and if it knew no values at all. */
export class Explainer {
  static async of(client) {
    const { rows } = await client.query(
      `SELECT relname, reltuples FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    return new Explainer(client, new Map(rows.map(({ relname, reltuples }) => [relname, reltuples])));
  }

  constructor(client, sizes) {
    this.client = client;
    this.sizes = sizes;
  }

  async explain({ text, values }) {
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    await this.client.query('SET plan_cache_mode = auto');
    await this.client.query(`PREPARE asked AS ${text}`);
    try {
      const run = async () =>
        (await this.client.query(`EXPLAIN (FORMAT JSON) EXECUTE asked${given}`)).rows[0]['QUERY PLAN'];
      const [{ Plan: custom }] = await run();
      for (let n = 1; n < BEFORE_SETTLED; n += 1) await run();
      const [{ Plan: settled }] = await run();
      await this.client.query('SET plan_cache_mode = force_generic_plan');
      const [{ Plan: generic }] = await run();
      return { custom: this.read(custom), settled: this.read(settled), generic: this.read(generic) };
    } finally {
      await this.client.query('DEALLOCATE asked');
    }
  }

  /** What a plan uses, and which large tables it would read through. */
  read(plan) {
    const indexes = new Set();
    const sequential = new Set();
    const walk = (node, isLimited) => {
      if (node['Index Name'] !== undefined) indexes.add(node['Index Name']);
      if (node['Node Type'] === 'Seq Scan' && this.sizes.get(node['Relation Name']) > MANY) {
        sequential.add(`${node['Relation Name']}${isLimited ? UNTIL_LIMIT : ''}`);
      }
      // A node that sorts, hashes or aggregates reads all that is below it, whatever the limit above.
      const passes = !['Sort', 'Aggregate', 'Hash', 'Incremental Sort'].includes(node['Node Type']);
      const limited = node['Node Type'] === 'Limit' || (isLimited && passes);
      for (const child of node.Plans ?? []) walk(child, limited);
    };
    walk(plan, false);
    return { cost: plan['Total Cost'], indexes: [...indexes], sequential: [...sequential] };
  }
}
