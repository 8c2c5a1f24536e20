import { createRandom, weighted, type Random } from './random.ts';
import { tables, type Cell, type Table } from './tables.ts';
import {
  adjectives,
  categories,
  channels,
  cities,
  firstNames,
  lastNames,
  returnReasons,
  stores,
  suppliers,
} from './vocabulary.ts';

/** Rows for one table, in the order of its columns. */
interface Batch {
  readonly table: Table;
  readonly row: readonly Cell[];
}

/** The shop's first and last day: fixed, so that every machine and every year sees the same numbers. */
const firstDay = Date.UTC(2023, 0, 1) / 1000;
export const lastDay = Date.UTC(2026, 9, 31) / 1000;

const day = 86_400;
const itemsPerOrder = 2.4;

/**
 * The sample shop, row by row: an outdoor-goods retailer whose sales grow, peak before Christmas and on weekends, and
 * whose products sell by the long tail. Deterministic for a size; `lineItems` is about how many rows the biggest table gets.
 */
export function* generateShop(lineItems: number): Generator<Batch> {
  const random = createRandom(20_230_101);
  const orderCount = Math.max(1, Math.round(lineItems / itemsPerOrder));
  const customerCount = Math.max(1, Math.round(orderCount / 6));
  yield* generateSuppliers(random);
  yield* generateStores();
  const products = yield* generateProducts(random);
  const customers = yield* generateCustomers(random, customerCount);
  yield* generateOrders(random, { orderCount, products, customers });
}

interface Product {
  readonly price: number;
  readonly launched: number;
}

function* generateSuppliers(random: Random): Generator<Batch> {
  for (const [index, name] of suppliers.entries()) {
    const [, country] = random.pick(cities);
    yield { table: tables.suppliers, row: [index + 1, name, country, random.between(310, 500)] };
  }
}

function* generateStores(): Generator<Batch> {
  for (const [index, [name, city, country, region, latitude, longitude, year]] of stores.entries()) {
    const opened = Date.UTC(year, (index * 5) % 12, 1 + index) / 1000;
    const place = [Math.round(latitude * 100), Math.round(longitude * 100)];
    yield { table: tables.stores, row: [index + 1, name, city, country, region, ...place, opened] };
  }
}

function* generateProducts(random: Random): Generator<Batch, readonly Product[]> {
  const products: Product[] = [];
  for (const [index, { name, department }] of categories.entries()) {
    yield { table: tables.categories, row: [index + 1, name, department] };
  }
  for (const [index, category] of categories.entries()) {
    for (const adjective of adjectives) {
      const id = products.length + 1;
      // Cheap products are more common than dear ones; every price ends in 90 or 95 cents.
      const euros = category.low + Math.floor((category.high - category.low) * random.next() ** 2);
      const price = euros * 100 - (random.chance(0.5) ? 5 : 10);
      const cost = Math.round(price * (0.42 + random.next() * 0.26));
      const launched = random.chance(0.7)
        ? firstDay - random.between(0, 700) * day
        : firstDay + random.between(0, 1200) * day;
      const sku = `${category.name.slice(0, 2).toUpperCase()}-${String(1000 + id)}`;
      const title = `${adjective} ${random.pick(category.nouns)}`;
      const supplier = random.between(1, suppliers.length);
      products.push({ price, launched });
      yield {
        table: tables.products,
        row: [id, sku, title, index + 1, supplier, price, cost, launched, random.chance(0.06) ? 1 : 0],
      };
    }
  }
  return products;
}

function* generateCustomers(random: Random, count: number): Generator<Batch, readonly number[]> {
  const nextCity = weighted(
    random,
    cities.map(([, , weight]) => weight),
  );
  const nextChannel = weighted(random, [34, 22, 12, 14, 18]);
  // More sign-ups each year; the first came before the shop opened, and the earliest customer is number 1.
  const start = firstDay - 90 * day;
  const since = Array.from({ length: count }, () => start + Math.floor((lastDay - start) * random.next() ** 0.75));
  since[0] = start;
  since.sort((a, b) => a - b);
  for (const [index, created] of since.entries()) {
    const id = index + 1;
    const [city, country] = cities[nextCity()] ?? cities[0];
    const first = random.pick(firstNames);
    const last = random.pick(lastNames);
    yield {
      table: tables.customers,
      row: [
        id,
        first,
        last,
        `${first}.${last}.${String(id)}@example.com`.toLowerCase(),
        city,
        country,
        random.chance(0.12) ? 'business' : 'consumer',
        channels[nextChannel()] ?? 'Direct',
        random.between(1950, 2006),
        created,
      ],
    };
  }
  return since;
}

interface Shop {
  readonly orderCount: number;
  readonly products: readonly Product[];
  readonly customers: readonly number[];
}

function* generateOrders(random: Random, { orderCount, products, customers }: Shop): Generator<Batch> {
  const nextDay = weighted(random, dayWeights());
  const nextStore = weighted(
    random,
    stores.map((store) => store[7]),
  );
  const nextProduct = weighted(
    random,
    products.map((_, index) => 1 / (1 + ((index * 37) % products.length)) ** 0.55),
  );
  const days = Array.from({ length: orderCount }, nextDay).sort((a, b) => a - b);
  let item = 0;
  let returned = 0;
  for (const [index, dayNumber] of days.entries()) {
    const created = firstDay + dayNumber * day + random.between(6, 22) * 3600 + random.between(0, 3599);
    const status = statusOf(random, created);
    const shipped = status === 'processing' || status === 'cancelled' ? null : created + random.between(4, 60) * 3600;
    const completed = status === 'completed' && shipped !== null ? shipped + random.between(20, 120) * 3600 : null;
    const customer = customerOf(random, customers, created);
    const shipping = random.chance(0.35) ? 0 : random.between(290, 1290);
    const id = index + 1;
    yield { table: tables.orders, row: [id, customer, nextStore() + 1, status, shipping, created, shipped, completed] };
    for (let count = random.pick([1, 1, 2, 2, 2, 3, 3, 5]); count > 0; count--) {
      const productIndex = onSale(products, created, nextProduct);
      const product = products[productIndex];
      if (!product) continue;
      const quantity = random.pick([1, 1, 1, 1, 2, 2, 3]);
      const discount = random.chance(0.22) ? random.pick([5, 10, 10, 15, 20, 30]) : 0;
      yield { table: tables.lineItems, row: [++item, id, productIndex + 1, quantity, product.price, discount] };
      if (completed !== null && random.chance(0.055)) {
        const refund = Math.round((product.price * quantity * (100 - discount)) / 100);
        const at = completed + random.between(1, 21) * day;
        yield { table: tables.returns, row: [++returned, item, random.pick(returnReasons), refund, at] };
      }
    }
  }
}

/** Draws a product that was launched by then; after some misses the nearest older one in the catalogue. */
function onSale(products: readonly Product[], at: number, draw: () => number): number {
  let index = draw();
  for (let tries = 0; tries < 4 && (products[index]?.launched ?? 0) > at; tries++) index = draw();
  for (let steps = 0; steps < products.length && (products[index]?.launched ?? 0) > at; steps++) {
    index = (index + products.length - 1) % products.length;
  }
  return index;
}

/** How busy each day of the shop's life is: growth, the year's seasons, weekends. */
function dayWeights(): readonly number[] {
  const months = [0.82, 0.78, 0.92, 1, 1.08, 1.12, 1.1, 1.02, 0.94, 0.98, 1.35, 1.55];
  return Array.from({ length: (lastDay - firstDay) / day + 1 }, (_, index) => {
    const date = new Date((firstDay + index * day) * 1000);
    const weekend = [0, 6].includes(date.getUTCDay()) ? 1.3 : 1;
    return (1 + index / 900) * (months[date.getUTCMonth()] ?? 1) * weekend;
  });
}

function statusOf(random: Random, created: number): string {
  if (random.chance(0.05)) return 'cancelled';
  if (created > lastDay - 3 * day) return random.chance(0.6) ? 'processing' : 'shipped';
  return created > lastDay - 8 * day && random.chance(0.7) ? 'shipped' : 'completed';
}

/** A customer who had signed up by then; a fifth of the orders come from the same early regulars. */
function customerOf(random: Random, customers: readonly number[], created: number): number {
  let low = 0;
  let high = customers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((customers[middle] ?? 0) <= created) low = middle + 1;
    else high = middle;
  }
  const known = Math.max(1, low);
  return random.chance(0.2) ? random.between(1, Math.max(1, Math.ceil(known / 20))) : random.between(1, known);
}
