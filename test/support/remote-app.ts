import type { HostCall } from './app-host.js';
import type { AppService, EnrolledUser, StartOptions } from './app-service.js';
import type { TestConnection } from './database.js';
import { askHelper, askJson } from './helpers.js';

interface Started {
  id: number;
  ports: number[];
  connection: TestConnection;
  dataDir: string;
}

/** The process that runs the service for this jest worker. */
const hostOfWorker = async (): Promise<string> =>
  `http://127.0.0.1:${await askHelper<number>(`app-host/${process.env.JEST_WORKER_ID ?? 1}`)}`;

/** An instance of the service that runs in an app host. */
export class RemoteApp implements AppService {
  private constructor(
    private readonly host: string,
    private readonly started: Started,
  ) {}

  static async start(options: StartOptions): Promise<RemoteApp> {
    const host = await hostOfWorker();
    const call: HostCall = { method: 'start', arguments: [options] };
    return new RemoteApp(host, await askJson<Started>(host, call));
  }

  get connection(): TestConnection {
    return this.started.connection;
  }

  get dataDir(): string {
    return this.started.dataDir;
  }

  get ports(): number[] {
    return this.started.ports;
  }

  document: AppService['document'] = () => this.call('document');
  enroll: AppService['enroll'] = (user) => this.call<EnrolledUser>('enroll', user);
  openSession: AppService['openSession'] = (userId) => this.call('openSession', userId);
  hashPassword: AppService['hashPassword'] = (password) => this.call('hashPassword', password);
  sendMails: AppService['sendMails'] = () => this.call('sendMails');
  runJobs: AppService['runJobs'] = () => this.call('runJobs');
  startDueRuns: AppService['startDueRuns'] = () => this.call('startDueRuns');
  setTime: AppService['setTime'] = (now) => this.call('setTime', now);
  logOf: AppService['logOf'] = (requestId) => this.call('logOf', requestId);
  stop: AppService['stop'] = () => this.call('stop');

  private call<T>(method: keyof AppService, ...values: unknown[]): Promise<T> {
    const call: HostCall = { app: this.started.id, method, arguments: values };
    return askJson<T>(this.host, call);
  }
}
