import type { Connection } from '../database/connections/connection.js';
import type { CreatedAdministrator } from './startup-banner.js';

/** What a worker is started with. */
export interface WorkerStart {
  /** Counts from 1; whoever replaces it has the same number. */
  number: number;
  connection: Connection;
  dataDir: string;
  poolSize: number;
  /** The environment without `.env`, which a worker reads again when the settings are reloaded. */
  original: NodeJS.ProcessEnv;
  /** Whether settings were reloaded since the start of the service. */
  isReloaded: boolean;
}

/** What is known once a process listens, for the log. */
export interface StartedService {
  version: string;
  commit: string | null;
  schema: number;
  database: string;
  administrator?: CreatedAdministrator;
}

/** What the keeper of the workers says to one. Metrics have the number of the question that they answer. */
export type ToWorker =
  | { type: 'start'; start: WorkerStart }
  | { type: 'stop'; isReplaced: boolean }
  | { type: 'reload' }
  | { type: 'measure'; question: number }
  | { type: 'metrics'; question: number; text: string };

/** What a worker says to the keeper. */
export type FromWorker =
  | { type: 'loaded' }
  | { type: 'refused' }
  | { type: 'ready'; started: StartedService }
  | { type: 'ask_metrics'; question: number }
  | { type: 'measured'; question: number; text: string };
