export declare const MOST: number
export declare const MOST_OF_ADDRESS: number
export declare const HANDSHAKES: number
export declare const HANDSHAKES_OF_ADDRESS: number

/** Place of a connection. */
export interface Place {
  /** The handshake is over. */
  shakeHands(): void
  /** The connection is closed. */
  leave(): void
}

export declare class Gate {
  enter(remoteAddress: string | undefined, drop?: () => void): Place | undefined
}

export declare function networkOf(address: string): string
