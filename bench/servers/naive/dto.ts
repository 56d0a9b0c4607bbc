import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';

export class ListTasksDto {
  @IsOptional()
  @IsString()
  endeavour_id?: string;

  @IsOptional()
  @IsIn(['planned', 'active', 'done', 'canceled'])
  status?: string;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit: number = 50;

  @Type(() => Number)
  @IsInt()
  @Min(0)
  offset: number = 0;
}

export class CreateTaskDto {
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  title: string;

  @IsOptional()
  @IsString()
  @MaxLength(50_000)
  description?: string;

  @IsString()
  endeavour_id: string;

  @IsOptional()
  @IsNumber()
  @Min(0)
  estimate?: number;
}

export class UpdateTaskDto {
  @IsOptional()
  @IsString()
  @MaxLength(500)
  title?: string;

  @IsOptional()
  @IsIn(['planned', 'active', 'done', 'canceled'])
  status?: string;
}

export class CreateCommentDto {
  @IsString()
  entity_type: string;

  @IsString()
  entity_id: string;

  @IsString()
  @MinLength(1)
  @MaxLength(50_000)
  content: string;
}
