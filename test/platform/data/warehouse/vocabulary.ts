/** The words and places that the sample shop is made of. Own invention: no real people, brands or addresses. */

export const firstNames = [
  'Ada', 'Amir', 'Ana', 'Aoife', 'Ben', 'Bruno', 'Carla', 'Chen', 'Clara', 'Daan', 'Dina', 'Elif', 'Emil', 'Emma',
  'Farid', 'Finn', 'Freya', 'Greta', 'Hana', 'Hugo', 'Ines', 'Ivan', 'Jana', 'Jonas', 'Kai', 'Karin', 'Lars', 'Lea',
  'Liam', 'Lina', 'Luca', 'Maja', 'Marco', 'Mila', 'Mona', 'Nils', 'Nora', 'Olga', 'Omar', 'Otto', 'Paula', 'Pia',
  'Rosa', 'Sami', 'Sara', 'Sofia', 'Theo', 'Tove', 'Uma', 'Vera', 'Yara', 'Zoe',
] as const; // prettier-ignore

export const lastNames = [
  'Abel', 'Andersen', 'Baker', 'Berg', 'Blanc', 'Bosch', 'Cole', 'Costa', 'Dahl', 'Diaz', 'Dubois', 'Evans', 'Fischer',
  'Fontana', 'Garcia', 'Haas', 'Hill', 'Horvat', 'Ito', 'Jansen', 'Keller', 'Khan', 'Kim', 'Kowal', 'Lang', 'Lind',
  'Lopez', 'Marino', 'Meyer', 'Moreau', 'Nagy', 'Novak', 'Olsen', 'Park', 'Petit', 'Popov', 'Reid', 'Rossi', 'Sato',
  'Silva', 'Smith', 'Stone', 'Tanaka', 'Vega', 'Visser', 'Wagner', 'Weber', 'Wood', 'Young', 'Zimmer',
] as const; // prettier-ignore

/** City, country, weight. */
export const cities = [
  ['Berlin', 'Germany', 9], ['Hamburg', 'Germany', 6], ['Munich', 'Germany', 6], ['Cologne', 'Germany', 4],
  ['Paris', 'France', 9], ['Lyon', 'France', 4], ['Bordeaux', 'France', 3],
  ['London', 'United Kingdom', 9], ['Leeds', 'United Kingdom', 3], ['Bristol', 'United Kingdom', 3],
  ['Madrid', 'Spain', 6], ['Valencia', 'Spain', 3], ['Milan', 'Italy', 5], ['Turin', 'Italy', 3],
  ['Amsterdam', 'Netherlands', 5], ['Utrecht', 'Netherlands', 3], ['Stockholm', 'Sweden', 4], ['Oslo', 'Norway', 3],
  ['Copenhagen', 'Denmark', 3], ['Vienna', 'Austria', 4], ['Zurich', 'Switzerland', 3], ['Lisbon', 'Portugal', 3],
  ['Dublin', 'Ireland', 3], ['Warsaw', 'Poland', 4],
] as const; // prettier-ignore

/** Name, department, lowest and highest price, adjectives and nouns of its products. */
export const categories = [
  { name: 'Tents', department: 'Outdoor', low: 89, high: 649, nouns: ['Tent', 'Tarp', 'Shelter'] },
  { name: 'Sleeping', department: 'Outdoor', low: 29, high: 349, nouns: ['Sleeping Bag', 'Mat', 'Hammock'] },
  { name: 'Backpacks', department: 'Outdoor', low: 39, high: 289, nouns: ['Backpack', 'Daypack', 'Duffel'] },
  { name: 'Footwear', department: 'Clothing', low: 49, high: 249, nouns: ['Boots', 'Trail Shoes', 'Sandals'] },
  { name: 'Jackets', department: 'Clothing', low: 59, high: 399, nouns: ['Jacket', 'Parka', 'Vest'] },
  { name: 'Base Layers', department: 'Clothing', low: 19, high: 99, nouns: ['Shirt', 'Tights', 'Socks'] },
  { name: 'Bikes', department: 'Cycling', low: 399, high: 2899, nouns: ['Gravel Bike', 'City Bike', 'Mountain Bike'] },
  { name: 'Bike Parts', department: 'Cycling', low: 9, high: 189, nouns: ['Saddle', 'Pedals', 'Light'] },
  { name: 'Climbing', department: 'Mountain', low: 15, high: 229, nouns: ['Harness', 'Rope', 'Chalk Bag'] },
  { name: 'Ski', department: 'Mountain', low: 35, high: 899, nouns: ['Skis', 'Poles', 'Goggles'] },
  { name: 'Kitchen', department: 'Camp', low: 9, high: 149, nouns: ['Stove', 'Pot Set', 'Bottle'] },
  { name: 'Lighting', department: 'Camp', low: 12, high: 119, nouns: ['Headlamp', 'Lantern', 'Torch'] },
] as const;

export const adjectives = [
  'Alpine', 'Amber', 'Arctic', 'Birch', 'Canyon', 'Cedar', 'Coast', 'Drift', 'Dune', 'Ember', 'Falcon', 'Fern', 'Fjord',
  'Glacier', 'Granite', 'Harbor', 'Heron', 'Juniper', 'Lagoon', 'Lark', 'Maple', 'Meadow', 'Mesa', 'Nordic', 'Oak',
  'Otter', 'Pine', 'Ridge', 'River', 'Sierra', 'Slate', 'Summit', 'Tundra', 'Willow',
] as const; // prettier-ignore

export const suppliers = [
  'Northwind Mills', 'Halden Works', 'Brightloom', 'Tarn & Sons', 'Polar Thread', 'Verde Craft', 'Kestrel Gear',
  'Linden Forge', 'Mistral Supply', 'Osprey Field', 'Quarry Lane', 'Rowan Textiles', 'Stillwater', 'Tallgrass',
  'Umbra Metals', 'Vantage Cycle', 'Westerly', 'Yarrow Goods', 'Zephyr Lab', 'Copper Creek',
] as const; // prettier-ignore

/** Name, city, country, region, latitude, longitude, year it opened, weight. */
export const stores = [
  ['Online', 'Berlin', 'Germany', 'Online', 52.52, 13.4, 2019, 46],
  ['Berlin Mitte', 'Berlin', 'Germany', 'Central', 52.53, 13.39, 2019, 9],
  ['Hamburg Hafen', 'Hamburg', 'Germany', 'Central', 53.54, 9.99, 2020, 6],
  ['Munich Isar', 'Munich', 'Germany', 'Central', 48.13, 11.58, 2020, 6],
  ['Vienna Ring', 'Vienna', 'Austria', 'Central', 48.2, 16.37, 2022, 4],
  ['Paris Marais', 'Paris', 'France', 'West', 48.86, 2.36, 2021, 7],
  ['Lyon Confluence', 'Lyon', 'France', 'West', 45.74, 4.82, 2022, 3],
  ['London Spitalfields', 'London', 'United Kingdom', 'West', 51.52, -0.07, 2021, 8],
  ['Amsterdam Noord', 'Amsterdam', 'Netherlands', 'West', 52.39, 4.9, 2022, 4],
  ['Madrid Retiro', 'Madrid', 'Spain', 'South', 40.42, -3.68, 2022, 4],
  ['Milan Navigli', 'Milan', 'Italy', 'South', 45.45, 9.17, 2022, 4],
  ['Stockholm Sodermalm', 'Stockholm', 'Sweden', 'North', 59.31, 18.07, 2022, 3],
] as const; // prettier-ignore

export const channels = ['Search', 'Social', 'Newsletter', 'Referral', 'Direct'] as const;
export const returnReasons = ['Wrong size', 'Damaged', 'Not as described', 'Changed mind', 'Late delivery'] as const;
