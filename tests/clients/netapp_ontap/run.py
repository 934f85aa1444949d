"""A workflow with the Python library over iSCSI, FC and NVMe, from an empty cluster to an empty cluster."""

import types

import access
import cluster
import lab as session
import nvme
import paging
import san
import svm
import volumes
from checks import check, end, said, same
from netapp_ontap.resources import Aggregate, Cluster, Lun, Svm, Volume

STEPS = [
    cluster.at_start,
    cluster.aggregates,
    cluster.policies,
    svm.svms,
    svm.services,
    svm.interfaces,
    svm.portsets,
    svm.network,
    volumes.volumes,
    volumes.efficiency,
    volumes.qos,
    volumes.snapshots,
    volumes.clones,
    volumes.qtrees,
    san.luns,
    san.lun_refusals,
    san.igroups,
    san.maps,
    nvme.subsystems,
    nvme.namespaces,
    nvme.maps,
    volumes.groups,
    paging.collections,
    paging.jobs,
    paging.tunnelling,
    paging.protocol,
    access.events,
    access.accounts,
    access.figures,
    nvme.end,
    san.end,
    volumes.end,
    svm.end,
    cluster.end,
]


def main():
    session.connect()
    with check("connection: the certificate is trusted"):
        Cluster().get()
    lab = types.SimpleNamespace()
    for step in STEPS:
        try:
            step(lab)
        except AttributeError as cause:  # a loop over what an earlier check should have found
            said(f"{step.__module__} {step.__name__}", cause)
    with check("cluster: as empty as at the start"):
        same([kind.count_collection() for kind in (Aggregate, Svm, Volume, Lun)], [0, 0, 0, 0], "aggregates, SVMs, volumes and LUNs")
    end()


main()
