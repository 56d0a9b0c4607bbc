import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Secrets } from './secrets.js';
import { Settings } from './settings.js';

/** Provides the configuration: {@link Settings} and {@link Secrets}. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: Settings, secrets: Secrets): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Secrets, useValue: secrets },
      ],
      exports: [Settings, Secrets],
    };
  }
}
