/**
 * A typical Nest application: Express, TypeORM repositories, a validation pipe, passport-jwt, entities as responses. It
 * verifies the signature of each token and nothing else (no session, no roles), keeps no change log, and returns ids
 * where the service returns names too. It creates its key object once, at the start, unlike most applications.
 */
import 'reflect-metadata';
import { createSecretKey } from 'node:crypto';
import { Controller, Get, Injectable, Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PassportModule, PassportStrategy } from '@nestjs/passport';
import { ExpressAdapter } from '@nestjs/platform-express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DataSource } from 'typeorm';
import { Comment, Task, Thing, User } from './entities.js';
import { WorkController, WorkService } from './work.js';

const { PORT = '0', CONNECTION = '{}', JWT_SECRET = '' } = process.env;

/** The default of PostgreSQL instead of the setting of the service. */
const USUAL = { options: '-c plan_cache_mode=auto' };

@Injectable()
class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // The declared type allows only strings and buffers.
      secretOrKey: createSecretKey(Buffer.from(JWT_SECRET)) as unknown as string,
    });
  }

  validate(claims: { sub: string }): { sub: string } {
    return claims;
  }
}

@Controller('/health')
class HealthController {
  @Get('ready')
  ready() {
    return {};
  }
}

const database = {
  provide: DataSource,
  useFactory: () => {
    const { user, ...where } = JSON.parse(CONNECTION) as { user: string };
    const entities = [Task, Comment, User, Thing];
    return new DataSource({
      type: 'postgres',
      ...where,
      username: user,
      entities,
      poolSize: 10,
      extra: USUAL,
    }).initialize();
  },
};

@Module({
  imports: [PassportModule],
  controllers: [WorkController, HealthController],
  providers: [database, WorkService, JwtStrategy],
})
class NaiveModule {}

const app = await NestFactory.create(NaiveModule, new ExpressAdapter(), { logger: ['error'] });
app.setGlobalPrefix('api/v1', { exclude: ['health/ready'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(Number(PORT), '127.0.0.1');
