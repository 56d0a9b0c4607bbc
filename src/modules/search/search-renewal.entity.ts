import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table whose rows still have search words of an earlier release, and the last row that has been renewed. */
@Entity('search_renewals')
export class SearchRenewal {
  @PrimaryColumn('text')
  tableName: string;

  @Column('text', { default: '' })
  afterId: string;
}
