/** A sequential scan of a table with more rows than this is reported. */
const MANY = 10_000;
/** PostgreSQL makes five plans for the given values before it considers a generic plan. */
const BEFORE_SETTLED = 5;
/** The setting of the role that the service connects as. */
const USUAL = 'RESET plan_cache_mode';
const CUSTOM = `SET plan_cache_mode = 'force_custom_plan'`;
const GENERIC = `SET plan_cache_mode = 'force_generic_plan'`;

const UNTIL_LIMIT = ' (until the limit)';

const literal = (value) => (value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`);

/** Explains how PostgreSQL executes a statement. */
export class Explainer {
  static async of(client) {
    const { rows } = await client.query(
      `SELECT relname, reltuples FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    return new Explainer(client, new Map(rows.map(({ relname, reltuples }) => [relname, reltuples])));
  }

  constructor(client, sizes) {
    this.client = client;
    this.sizes = sizes;
  }

  /** Returns the plan that the service gets, generic or for these values, and the alternative. */
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

  /** Returns the cost and the indexes of a plan, and the large tables that it scans. */
  read(plan) {
    const indexes = new Set();
    const sequential = new Set();
    const walk = (node, isLimited) => {
      if (node['Index Name'] !== undefined) indexes.add(node['Index Name']);
      if (node['Node Type'] === 'Seq Scan' && this.sizes.get(node['Relation Name']) > MANY) {
        sequential.add(`${node['Relation Name']}${isLimited ? UNTIL_LIMIT : ''}`);
      }
      // A node that sorts, hashes or aggregates reads its whole input, regardless of a limit above it.
      const passes = !['Sort', 'Aggregate', 'Hash', 'Incremental Sort'].includes(node['Node Type']);
      const limited = node['Node Type'] === 'Limit' || (isLimited && passes);
      for (const child of node.Plans ?? []) walk(child, limited);
    };
    walk(plan, false);
    return { cost: plan['Total Cost'], indexes: [...indexes], sequential: [...sequential] };
  }
}
