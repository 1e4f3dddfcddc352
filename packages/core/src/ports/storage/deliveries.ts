import type { ListWindow, Page } from '../../shared/page'
import { DAY_MS } from '../../shared/time'
import type { Delivery, DeliveryStatus } from '../../webhook/delivery'
import type { Message } from '../../webhook/message'

/** Milliseconds for which deliveries are kept, from their creation. A message of that age is removed when it has no delivery left. */
export const DELIVERIES_KEPT_MS = 7 * DAY_MS

export interface DeliveryQuery extends ListWindow {
  readonly webhookId: string
  readonly status?: DeliveryStatus
}

export interface MessageReaders {
  /** Returns messages of the project that contain the player, newest first. */
  ofPlayer(projectId: string, playerId: string, limit: number): Promise<Message[]>
}

export interface DeliveryReaders {
  /** Returns a page of the deliveries to a webhook, newest first. */
  list(query: DeliveryQuery): Promise<Page<Delivery>>
}
