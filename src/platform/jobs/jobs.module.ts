import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { Housekeeping } from './housekeeping.js';
import { JobTable } from './job-table.js';
import { Jobs } from './jobs.js';

/** Provides recurring jobs and the clock. */
@Global()
@Module({ providers: [Clock, Housekeeping, JobTable, Jobs], exports: [Clock, Housekeeping, Jobs] })
export class JobsModule {}
