/** More rows than this are not to be read one by one. */
const MANY = 10_000;
/** PostgreSQL looks at the values five times before it settles for one plan. */
const BEFORE_SETTLED = 5;
/** As the role has it, which the service connects as. */
const USUAL = 'RESET plan_cache_mode';
const CUSTOM = `SET plan_cache_mode = 'force_custom_plan'`;
const GENERIC = `SET plan_cache_mode = 'force_generic_plan'`;

const UNTIL_LIMIT = ' (until the limit)';

const literal = (value) => (value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`);

/** How PostgreSQL goes about a statement. */
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

  /** The plan that the service gets, for all values or for these alone, and the one that it would get otherwise. */
  async explain({ text, values }, isForValues) {
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const plan = async (mode) => {
      await this.client.query(mode);
      const { rows } = await this.client.query(`EXPLAIN (FORMAT JSON) EXECUTE asked${given}`);
      return rows[0]['QUERY PLAN'][0].Plan;
    };
    await this.client.query(`PREPARE asked AS ${text}`);
    try {
      const usual = isForValues ? CUSTOM : USUAL;
      for (let n = 0; n < BEFORE_SETTLED; n += 1) await plan(usual);
      return { used: this.read(await plan(usual)), other: this.read(await plan(isForValues ? GENERIC : CUSTOM)) };
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
