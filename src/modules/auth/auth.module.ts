import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { Sessions } from './sessions.service.js';

@Module({ imports: [UsersModule], providers: [Sessions], exports: [Sessions] })
export class AuthModule {}
