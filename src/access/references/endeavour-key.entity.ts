import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A key that an endeavour has or had in a home organization, or among the homeless endeavours of its creator. Former keys
 * stay reserved for it. Written by triggers.
 */
@Entity('endeavour_keys')
@Check('endeavour_keys_key_check', "key ~ '^[A-Z][A-Z0-9]{1,9}$'")
@Index(['endeavourId', 'key'])
@Index(['key'])
export class EndeavourKey {
  /** The home organization; for a homeless endeavour, the resource of its creator. */
  @PrimaryColumn('text')
  scopeId: string;

  @PrimaryColumn('text')
  key: string;

  // Deferred, because a trigger reserves the key before the row of the endeavour exists.
  @Column('text')
  @ForeignKey('Endeavour', { onDelete: 'CASCADE', deferrable: 'INITIALLY DEFERRED' })
  endeavourId: string;
}
