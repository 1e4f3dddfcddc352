/** The `executable_path` of the build. */
export declare const EXECUTABLE_PATH: 'server.mjs'

/** The ports that the server listens on, as a queue's `server_settings.network_ports` asks for them. */
export declare const NETWORK_PORTS: readonly [
  { readonly name: 'game'; readonly protocol: 'udp'; readonly internal_port: 7777 },
  { readonly name: 'control'; readonly protocol: 'tcp'; readonly internal_port: 7778 },
]

/** The archive to upload: the server of this example, or what is in another folder. */
export declare function packGameServer(folder?: string): Promise<Buffer>
