import type { OpenAPIObject } from '@nestjs/swagger';
import type { NewUser } from '../../src/modules/users/user-creation.js';
import type { TestConnection } from './database.js';

export interface StartOptions {
  /** Settings that differ from those of the other tests. */
  environment: Record<string, string>;
  /** The database of another instance; the new instance becomes its replica. */
  connection?: TestConnection;
}

/** A user with an active session. */
export interface EnrolledUser {
  id: string;
  resourceId: string;
  token: string;
}

/** The service under test, in this process or in another, with the operations that tests need besides requests. */
export interface AppService {
  readonly connection: TestConnection;
  readonly dataDir: string;
  readonly ports: number[];
  document(): Promise<OpenAPIObject>;
  enroll(user: NewUser): Promise<EnrolledUser>;
  /** Opens another session of that user and returns its token. */
  openSession(userId: string): Promise<string>;
  hashPassword(password: string): Promise<string>;
  /** Sends the mails that are due. */
  sendMails(): Promise<void>;
  /** Runs the recurring jobs that are due. */
  runJobs(): Promise<void>;
  /** Starts the runs of rituals that are due. */
  startDueRuns(): Promise<void>;
  /** Stops the service's clock at an RFC 3339 time; null restores the real time. */
  setTime(now: string | null): Promise<void>;
  /** The latest log lines that contain that text. */
  logOf(requestId: string): Promise<string[]>;
  stop(): Promise<void>;
}
