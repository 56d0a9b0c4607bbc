import { Injectable } from '@nestjs/common';

type IsVetoed = (userId: string, organizationId: string) => Promise<boolean>;

/**
 * Asks the features that know whom an organization has dismissed whether a person may still sign in with the providers of
 * the organization. The providers do not depend on them.
 */
@Injectable()
export class SignInVetoes {
  private readonly sources: IsVetoed[] = [];

  register(isVetoed: IsVetoed): void {
    this.sources.push(isVetoed);
  }

  async isVetoed(userId: string, organizationId: string): Promise<boolean> {
    for (const isVetoed of this.sources) if (await isVetoed(userId, organizationId)) return true;
    return false;
  }
}
