import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { newestSchema } from '../database/schema/migration-phase.js';
import { checkedOutCommit, releaseVersion } from './checkout.js';

/** The version and commit of this build, and the number of its newest migration. */
@Injectable()
export class Release {
  readonly version = releaseVersion();
  readonly commit: string | null;
  readonly schema: number;

  constructor(settings: Settings, { source }: Database) {
    this.commit = settings.COMMIT ?? checkedOutCommit();
    this.schema = newestSchema(source.migrations.map(({ constructor }) => constructor));
  }
}
