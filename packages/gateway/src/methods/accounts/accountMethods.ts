/** Every method of the network of token accounts. */
import type { Network } from "@dotrpc/spec"
import type { AccountStore } from "../../accounts/AccountStore.ts"
import type { ServedMethod } from "../ServedMethod.ts"
import { accountReads } from "./accountReads.ts"
import { clusterReads } from "./clusterReads.ts"
import { subscriptions } from "./subscriptions.ts"
import { tokenQueries } from "./tokenQueries.ts"
import { tokenReads } from "./tokenReads.ts"
import { transactionReads } from "./transactionReads.ts"

export const accountMethods = (network: Network, store: () => AccountStore): ReadonlyArray<ServedMethod> => [
  ...tokenQueries(network, store),
  ...accountReads(network, store),
  ...tokenReads(network, store),
  ...transactionReads(network, store),
  ...clusterReads(network, store),
  ...subscriptions(network),
]
