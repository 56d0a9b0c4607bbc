import { Global, Module } from '@nestjs/common';
import { HostResolver } from './host-resolver.js';

/** Which hosts the service may send requests to. */
@Global()
@Module({ providers: [HostResolver], exports: [HostResolver] })
export class OutgoingModule {}
