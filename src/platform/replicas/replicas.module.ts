import { Global, Module } from '@nestjs/common';
import { Release } from '../release/release.js';
import { Replica } from './replica.js';
import { ReplicasRepository } from './replicas.repository.js';

/** Knows the release of this process, and lets the others know that it runs. */
@Global()
@Module({ providers: [Release, Replica, ReplicasRepository], exports: [Release, Replica, ReplicasRepository] })
export class ReplicasModule {}
