/**
 * What a migration does to the schema that the previous release uses. `expand` only adds, so that both releases run on
 * the result. `contract` removes what the release of the migration no longer uses; it waits until no replica of an older
 * release is left (docs/upgrades.md).
 */
export type MigrationPhase = 'expand' | 'contract';

/** The phase of a migration class, from its static property `phase`; those without it expand. */
export const phaseOf = (migration: Function): MigrationPhase =>
  (migration as { phase?: MigrationPhase }).phase ?? 'expand';

/** The number at the end of the name of a migration. The highest one of a build is the schema of its release. */
export const schemaNumber = (migrationName: string): number => Number(migrationName.slice(-13));

/** The schema of the release that contains these migrations. */
export const newestSchema = (migrations: readonly Function[]): number =>
  Math.max(0, ...migrations.map(({ name }) => schemaNumber(name)));
