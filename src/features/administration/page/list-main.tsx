import { render } from 'preact';
import { ListApp } from './list-app.tsx';
import { ListModel } from './list-model.ts';
import './list.css';

const place = document.querySelector('#list');
if (place) render(<ListApp model={new ListModel(acquireVsCodeApi(), window)} />, place);
