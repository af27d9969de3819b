/** Texts that are made to hang the program: each is planned, priced, run and reported. */
import { oneOfEachKind } from "@dotrpc/bombs"
import { it } from "vitest"
import { expectPlayed } from "./expectPlayed.ts"

it.each(oneOfEachKind)("a bomb of $name is formatted, planned and run", ({ text }) => expectPlayed(text()))
