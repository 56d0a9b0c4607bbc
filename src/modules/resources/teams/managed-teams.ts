import { Injectable } from '@nestjs/common';
import { conflict } from '../../../common/errors.js';

type IsManaged = (teamId: string) => Promise<boolean>;

/** Asks the features that keep the members of teams, such as the directory of an organization, which teams these are. */
@Injectable()
export class ManagedTeams {
  private readonly sources: IsManaged[] = [];

  register(isManaged: IsManaged): void {
    this.sources.push(isManaged);
  }

  /** 409 `managed` if members are not added and removed by hand. */
  async assertByHand(teamId: string): Promise<void> {
    for (const isManaged of this.sources) {
      if (!(await isManaged(teamId))) continue;
      throw conflict('managed', 'The directory of the organization keeps the members of this team; change them there.');
    }
  }
}
