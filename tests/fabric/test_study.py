"""The paper's Figures 9 and 10, and ours beside them."""

import numpy as np
import pytest

from tasuki.fabric.error import FabricError
from tasuki.fabric.model import Model
from tasuki.fabric.plan import Planner
from tasuki.fabric.study import contiguous_jobs, random_jobs, study

UNTUNED = Model("synchronised", link_ratio=1.0)
# Measured in the paper, MB/s.
STOCK_MEAN, STOCK_LEAST, PAPER_MEAN, PAPER_LEAST, CONTIGUOUS_16 = 1198, 888, 1607, 1265, 1310


@pytest.fixture(scope="module")
def planner(paper_tree):
    return Planner(paper_tree.routes)


def check_figure_9(outcomes):
    stock, paper = outcomes["stock"].summary(), outcomes["paper"].summary()
    assert stock["mean"] == pytest.approx(STOCK_MEAN, rel=0.05)
    assert stock["min"] == pytest.approx(STOCK_LEAST, rel=0.10)
    assert paper["mean"] == pytest.approx(PAPER_MEAN, rel=0.05)
    assert paper["min"] == pytest.approx(PAPER_LEAST, rel=0.10)
    assert paper["mean"] / stock["mean"] == pytest.approx(1.34, rel=0.05)
    # Of 1,000; the paper counted 20 and 732.
    assert 10 <= stock["count_over_1500"] <= 35
    assert 700 <= paper["count_over_1500"] <= 800


def test_figure_9(planner):
    jobs = random_jobs(30, 16, 1000, seed=1)
    check_figure_9(study(planner, jobs, ["stock", "paper"], Model()))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_figure_9_ten_seeds(planner, seed):
    jobs = random_jobs(30, 16, 1000, seed)
    names = ["stock", "paper", "balanced", "contention-free"]
    outcomes = study(planner, jobs, names, Model())
    check_figure_9(outcomes)
    ours = outcomes["contention-free"]
    assert ours.worst_load.max() == 1
    assert ours.bandwidth.min() == pytest.approx(1700)
    assert (ours.stage_count == 15).all()


@pytest.mark.slow
def test_figure_9_by_the_rendezvous_model_without_any_fit(planner):
    """Its least bandwidths differ from seed to seed, so the mean of ten stands for them."""
    model = Model("rendezvous", link_ratio=1.0)
    least, means = [], []
    for seed in range(1, 11):
        jobs = random_jobs(30, 16, 1000, seed)
        outcomes = study(planner, jobs, ["stock", "paper"], model)
        least.append([outcomes[name].bandwidth.min() for name in ("stock", "paper")])
        means.append([outcomes[name].bandwidth.mean() for name in ("stock", "paper")])
    assert np.mean(means, axis=0) == pytest.approx([STOCK_MEAN, PAPER_MEAN], rel=0.05)
    assert np.mean(least, axis=0) == pytest.approx([STOCK_LEAST, PAPER_LEAST], rel=0.10)


def test_figure_10(planner):
    jobs = contiguous_jobs(30)
    names = ["stock", "paper", "contention-free", "contention-free-stock"]
    outcomes = study(planner, jobs, names, UNTUNED)
    stock = {job.size: rate for job, rate in zip(jobs, outcomes["stock"].bandwidth, strict=True)}
    full = {size for size, rate in stock.items() if rate == pytest.approx(1700)}
    assert full == {*range(3, 13), 18, 24, 30}
    dips = {
        13: [0.706, 0.722, 0.737, 0.750, 0.762],
        19: [0.643, 0.655, 0.667, 0.677, 0.688],
        25: [0.615, 0.625, 0.634, 0.643, 0.651],
    }
    for first, fractions in dips.items():
        for size, fraction in enumerate(fractions, start=first):
            assert stock[size] / 1700 == pytest.approx(fraction, abs=0.001)
    # "The paper's method cannot reduce them", and a new schedule alone does.
    assert np.allclose(outcomes["paper"].bandwidth, outcomes["stock"].bandwidth)
    for name in ("contention-free", "contention-free-stock"):
        assert np.allclose(outcomes[name].bandwidth, 1700)
        assert outcomes[name].worst_load.max() == 1


@pytest.mark.parametrize("model", [Model(), Model("rendezvous", link_ratio=1.0)])
def test_figure_10_at_16_nodes(planner, model):
    jobs = contiguous_jobs(30)[13:14]
    rate = study(planner, jobs, ["stock"], model)["stock"].bandwidth[0]
    assert rate == pytest.approx(CONTIGUOUS_16, rel=0.05)


def test_the_other_methods(planner):
    jobs = random_jobs(30, 16, 200, seed=1)
    names = ["stock", "paper", "balanced", "annealed", "contention-free-stock"]
    outcomes = study(planner, jobs, names, UNTUNED)
    rate = {name: outcome.bandwidth for name, outcome in outcomes.items()}
    assert rate["annealed"].mean() > 1690
    assert (rate["annealed"] >= np.maximum(rate["stock"], rate["paper"]) - 1e-9).all()
    assert rate["balanced"].mean() > rate["paper"].mean()
    # Stock routing with the least number of stages: no hot spot, but more stages than N - 1.
    assert outcomes["contention-free-stock"].worst_load.max() == 1
    assert 0.93 < rate["contention-free-stock"].mean() / 1700 < 0.98
    assert (rate["contention-free-stock"] >= rate["stock"] - 1e-9).all()


def test_jitter_is_limited_by_the_crossbar(planner):
    jobs = random_jobs(30, 16, 40, seed=1)
    names = ["stock", "paper", "contention-free"]
    means = {}
    for jitter in (0.05, 0.5):
        outcomes = study(planner, jobs, names, Model("rendezvous", 1.0, jitter=jitter))
        means[jitter] = {name: outcome.bandwidth.mean() for name, outcome in outcomes.items()}
        assert means[jitter]["crossbar"] >= max(means[jitter].values()) - 1e-9
        assert means[jitter]["contention-free"] > means[jitter]["stock"]
    assert means[0.05]["contention-free"] > means[0.05]["paper"]


def test_equal_seeds_give_equal_studies(planner):
    runs = [
        study(planner, random_jobs(30, 16, 20, seed=3), ["stock", "annealed"], Model())
        for _ in range(2)
    ]
    for name in runs[0]:
        assert np.array_equal(runs[0][name].bandwidth, runs[1][name].bandwidth)


def test_bad_requests(planner):
    with pytest.raises(FabricError, match="expected 2 to 30"):
        random_jobs(30, 31, 1, seed=1)
    with pytest.raises(FabricError, match="expected synchronised or rendezvous"):
        Model("guess")
    with pytest.raises(FabricError, match="needs the rendezvous model"):
        Model(jitter=0.1)
    with pytest.raises(FabricError, match="expected one of stock"):
        study(planner, random_jobs(30, 4, 1, seed=1), ["best"], Model())
