import { randomUUID } from 'node:crypto';
import {
  Body,
  Controller,
  Get,
  Injectable,
  NotFoundException,
  Param,
  Patch,
  Post,
  Query,
  Request,
  UseGuards,
} from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { DataSource } from 'typeorm';
import { CreateCommentDto, CreateTaskDto, ListTasksDto, UpdateTaskDto } from './dto.js';
import { Comment, Task, Thing, User } from './entities.js';

const newId = (prefix: string): string => {
  const ms = Date.now().toString(16).padStart(12, '0');
  return `${prefix}_${ms}7${randomUUID().replaceAll('-', '').slice(13)}`;
};

@Injectable()
export class WorkService {
  private readonly tasks = this.source.getRepository(Task);
  private readonly users = this.source.getRepository(User);

  constructor(private readonly source: DataSource) {}

  async list({ endeavour_id, status, limit, offset }: ListTasksDto) {
    const [data, total] = await this.tasks.findAndCount({
      where: { endeavourId: endeavour_id, status },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { data, meta: { total, limit, offset } };
  }

  async find(id: string): Promise<Task> {
    const task = await this.tasks.findOneBy({ id });
    if (task === null) throw new NotFoundException();
    return task;
  }

  async create(userId: string, { title, description, endeavour_id, estimate }: CreateTaskDto): Promise<Task> {
    const { resourceId } = await this.whoami(userId);
    const id = newId('tsk');
    return this.source.transaction(async (manager) => {
      await manager.save(manager.create(Thing, { id, kind: 'task', endeavourId: endeavour_id, title }));
      const people = { ownerId: resourceId, creatorId: resourceId };
      const task = manager.create(Task, { id, title, description, endeavourId: endeavour_id, estimate, ...people });
      return manager.save(task);
    });
  }

  async update(id: string, dto: UpdateTaskDto): Promise<Task> {
    const task = await this.find(id);
    Object.assign(task, dto);
    task.revision += 1;
    return this.tasks.save(task);
  }

  async comment(userId: string, { entity_type, entity_id, content }: CreateCommentDto): Promise<Comment> {
    const { resourceId } = await this.whoami(userId);
    const { endeavourId } = await this.find(entity_id);
    const id = newId('cmt');
    return this.source.transaction(async (manager) => {
      const title = content.slice(0, 100);
      await manager.save(manager.create(Thing, { id, kind: 'comment', endeavourId, parentId: entity_id, title }));
      const what = { id, entityType: entity_type, entityId: entity_id, content, authorId: resourceId };
      return manager.save(manager.create(Comment, what));
    });
  }

  async whoami(id: string): Promise<User> {
    const user = await this.users.findOneBy({ id });
    if (user === null) throw new NotFoundException();
    return user;
  }
}

interface SignedIn {
  user: { sub: string };
}

@Controller()
@UseGuards(AuthGuard('jwt'))
export class WorkController {
  constructor(private readonly work: WorkService) {}

  @Get('tasks')
  list(@Query() query: ListTasksDto) {
    return this.work.list(query);
  }

  @Get('tasks/:id')
  async find(@Param('id') id: string) {
    return { data: await this.work.find(id) };
  }

  @Post('tasks')
  async create(@Request() { user }: SignedIn, @Body() dto: CreateTaskDto) {
    return { data: await this.work.create(user.sub, dto) };
  }

  @Patch('tasks/:id')
  async update(@Param('id') id: string, @Body() dto: UpdateTaskDto) {
    return { data: await this.work.update(id, dto) };
  }

  @Post('comments')
  async comment(@Request() { user }: SignedIn, @Body() dto: CreateCommentDto) {
    return { data: await this.work.comment(user.sub, dto) };
  }

  @Get('auth/whoami')
  async whoami(@Request() { user }: SignedIn) {
    return { data: await this.work.whoami(user.sub) };
  }
}
