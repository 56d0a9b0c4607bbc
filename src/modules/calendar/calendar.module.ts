import { Module } from '@nestjs/common';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { RitualsModule } from '../rituals/rituals.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { CalendarController, OwnCalendarController } from './calendar.controller.js';
import { CalendarRepository } from './calendar.repository.js';
import { CalendarService } from './calendar.service.js';

/** Provides due dates and ritual occurrences to calendar programs. */
@Module({
  imports: [EndeavoursModule, ResourcesModule, RitualsModule],
  controllers: [CalendarController, OwnCalendarController],
  providers: [CalendarRepository, CalendarService],
})
export class CalendarModule {}
