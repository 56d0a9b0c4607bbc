import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = ['organizations', 'endeavours'].flatMap((table) =>
  ['name', 'description'].map((column) => ({ table, column, index: `${table}_${column}_trigram_idx` })),
);

/** Indexes organizations and endeavours for searches by any part of their name or description. */
export class ContainerSearch1763700000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { table, column, index } of INDEXES) {
      await runner.query(`CREATE INDEX ${index} ON ${table} USING gin (${column} gin_trgm_ops)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${INDEXES.map(({ index }) => index).join(', ')}`);
  }
}
