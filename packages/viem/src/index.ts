/** A transport for viem over the metered runtime. */
export {
  type CallOptions,
  type DotrpcTransport,
  dotrpcTransport,
  type EvmRequest,
  type MeteredOptions,
  type TransportAttributes,
} from "./DotrpcTransport.ts"
export { failureOf } from "./CallFailed.ts"
