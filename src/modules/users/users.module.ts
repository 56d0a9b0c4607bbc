import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module.js';
import { Enrollment } from './enrollment.js';

@Module({ imports: [ResourcesModule], providers: [Enrollment], exports: [Enrollment] })
export class UsersModule {}
