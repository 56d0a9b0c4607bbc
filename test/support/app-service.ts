import type { OpenAPIObject } from '@nestjs/swagger';
import type { NewUser } from '../../src/modules/users/user-creation.js';
import type { TestConnection } from './database.js';

export interface StartOptions {
  /** Settings that differ from those of the other tests. */
  environment: Record<string, string>;
  /** The database of another instance, whose replica this one becomes. */
  connection?: TestConnection;
}

/** A user with a living session. */
export interface EnrolledUser {
  id: string;
  resourceId: string;
  token: string;
}

/** The service under test, in this process or in another, and what tests do to it beside sending requests. */
export interface AppService {
  readonly connection: TestConnection;
  readonly dataDir: string;
  readonly ports: number[];
  document(): Promise<OpenAPIObject>;
  enroll(user: NewUser): Promise<EnrolledUser>;
  /** Opens another session of that user; its token. */
  openSession(userId: string): Promise<string>;
  hashPassword(password: string): Promise<string>;
  /** Sends the mails that are due. */
  sendMails(): Promise<void>;
  /** Runs the recurring jobs that are due. */
  runJobs(): Promise<void>;
  /** Starts the runs of rituals that are due. */
  startDueRuns(): Promise<void>;
  /** Stops the service's clock at a time in RFC 3339; null gives it back the real time. */
  setTime(now: string | null): Promise<void>;
  /** The latest log lines that contain that text. */
  logOf(requestId: string): Promise<string[]>;
  stop(): Promise<void>;
}
