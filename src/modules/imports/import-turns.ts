import { Injectable } from '@nestjs/common';
import { UserTurns } from '../../access/user-turns.js';

/** A file may take 30 seconds to arrive, and holds a connection to the database meanwhile. */
@Injectable()
export class ImportTurns extends UserTurns {
  constructor() {
    super({ atOnce: 3, atOncePerUser: 1, waiting: 10, waitingPerUser: 1 });
  }
}
