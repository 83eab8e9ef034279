// Games that were played on the device while the server was away, and their way to it.

import { BoardHand, expect, moves, status, test } from "./fixtures";
import { TestServer } from "./server";
import { install } from "./site";

test("games played without the server are sent to it once, whatever is interrupted", async ({ page }) => {
  const server = new TestServer();
  await server.start();
  const hand = new BoardHand(page);
  const notice = (text: string) => page.locator(".notice").filter({ hasText: text });
  try {
    await page.goto(server.url);
    await install(page);
    await server.kill();
    await page.goto(server.url);
    for (const first of ["e2e4", "d2d4", "c2c4"]) {
      await page.goto(server.url);
      await page.getByRole("radio", { name: "Gardez" }).check();
      await page.getByRole("radio", { name: "White" }).check();
      await page.getByLabel("Opponent").selectOption({ index: 0 });
      await page.getByRole("switch", { name: /human speed/ }).uncheck();
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await expect(status(page)).toHaveText("Your move");
      await hand.move(first);
      await expect(moves(page)).toHaveCount(2);
    }

    await server.start();
    await notice("The server can be reached again.").getByRole("button", { name: "Use it" }).click();
    const offer = notice("3 games played on this device");
    await expect(offer).toBeVisible();
    expect(await server.get<{ total: number }>("/games")).toMatchObject({ total: 0 });

    // The answer to the first game is lost; the second never reaches the server.
    let requests = 0;
    await page.route("**/api/v1/games/*", async (route) => {
      requests += 1;
      if (requests === 1) await route.fetch();
      await route.abort();
    });
    await offer.getByRole("button", { name: "Send" }).click();
    await notice("What is left stays on this device.").getByRole("button", { name: "Try again" }).click();
    await expect(notice("What is left stays on this device.")).toBeVisible();
    expect(requests).toBe(2);
    await page.unroute("**/api/v1/games/*");

    // Asked again after the page was closed in the middle of it.
    await page.reload();
    await offer.getByRole("button", { name: "Send" }).click();
    await expect(notice("3 games sent.")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
    await expect(offer).toHaveCount(0);
    expect(await server.get<{ total: number }>("/games")).toMatchObject({ total: 3 });

    // And there the game continues.
    await page.locator(".going-game").first().click();
    await expect(moves(page)).toHaveCount(2);
    await hand.move("a2a3");
    await expect(moves(page)).toHaveCount(4);
  } finally {
    await server.dispose();
  }
});
