import { Module } from '@nestjs/common';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { RitualsModule } from '../rituals/rituals.module.js';
import { CalendarController } from './calendar.controller.js';
import { CalendarRepository } from './calendar.repository.js';
import { CalendarService } from './calendar.service.js';

/** Provides due dates and ritual occurrences to calendar programs. */
@Module({
  imports: [EndeavoursModule, RitualsModule],
  controllers: [CalendarController],
  providers: [CalendarRepository, CalendarService],
})
export class CalendarModule {}
